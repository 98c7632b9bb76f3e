"""What the Chinese dialogues are about, and the last turns that hang on what was said before."""

from typing import Final

from recipes.chat.compose import Scene, leading_to


def contrast(before: str, asked: str, other: str, after: str, *answers: str) -> Scene:
    """A question that comes back with another filler: 那上海呢 after 北京天气怎么样."""
    gone = f"[呢|{after}]"
    frames = (
        f"那[|{before}]{other}{gone}？",
        f"[|{before}]{other}{gone}？",
        f"[|{before}]{other}[|{after}]？",
        f"那么[|{before}]{other}{gone}？",
        f"好的，那[|{before}]{other}{gone}？",
    )
    return Scene(
        openings=tuple((f"{before}{asked}{after}？", answer) for answer in answers),
        frames={"contrast": frames},
        whole=(f"{before}{other}{after}？", f"那{before}{other}{after}？"),
    )


def asked_back(subject: str, done: str, *answers: str) -> Scene:
    """A question of yes or no, and 为什么 after it: the words of the question complete it."""
    frames = (
        f"[|{subject}]为什么[|{done}了]？",
        f"[|{subject}]为啥[|{done}了]？",
        f"真的？[|{subject}]为什么[|{done}了]？",
        f"[|{subject}]什么时候[|{done}的]？",
        f"[|{subject}]是从什么时候开始[|{done}的]？",
        f"那[|{subject}]是为什么[|{done}的]？",
    )
    return Scene(
        openings=tuple((f"{subject}{done}了吗？", answer) for answer in answers),
        frames={"bare question": frames},
        whole=(f"{subject}为什么{done}了？", f"{subject}什么时候{done}的？"),
    )


PEOPLE: Final = (
    Scene(
        openings=(
            ("{person}是谁？", "{person}是{person.role}，{person.year}年出生在{person.place}。"),
            ("你知道{person}吗", "知道，{person}是很有名的{person.role}，代表作是{person.work}。"),
            ("给我介绍一下{person}", "{person}，{person.role}，来自{person.place}。"),
            ("我最近很喜欢{person}", "{person}确实很有才华，很多人都知道{person.work}。"),
        ),
        more=(
            ("真的吗", "是的，而且还和{person2}合作过。"),
            ("有意思", "您还想了解什么？"),
            ("有什么好朋友吗？", "听说和{person2}关系不错。"),
        ),
        frames={
            "two clauses": (
                "[{person.he}|{person}]成名以后，还回过{person.place}吗？",
                "[{person.he}|{person}]小时候家里穷吗，{person.he}的父母是做什么的？",
                "如果[{person.he}|{person}]没有当{person.role}，{person.he}会做什么？",
                "[{person.he}|{person}]出名的时候多大，那时{person.he}结婚了吗？",
                "[{person.he}|{person}]为什么说{person.he}不想出名？",
                "第一个采访[{person.he}|{person}]的人是谁？",
            ),
            "subject pronoun": (
                "[{person.he}|{person}]多大了？",
                "[{person.he}|{person}]结婚了吗？",
                "[{person.he}|{person}]现在住在哪里？",
                "[{person.he}|{person}]是哪里人？",
                "[{person.he}|{person}]毕业于哪所大学？",
                "[{person.he}|{person}]得过什么奖？",
                "[{person.he}|{person}]什么时候出道的？",
                "[{person.he}|{person}]为什么这么有名？",
                "[{person.he}|{person}]身高多少",
                "那[{person.he}|{person}]最近在忙什么？",
                "[这个人|{person}]有孩子吗？",
                "[这位|{person}]还健在吗？",
            ),
            "object pronoun": (
                "给我看看[{person.he}|{person}]的照片",
                "网友怎么评价[{person.he}|{person}]？",
                "谁影响了[{person.he}|{person}]？",
                "有没有关于[{person.he}|{person}]的纪录片？",
                "我也很喜欢[{person.he}|{person}]",
                "帮我搜一下[{person.he}|{person}]",
            ),
            "possessive": (
                "[{person.he}|{person}]的代表作是什么？",
                "[{person.he}|{person}]的父母是做什么的？",
                "[{person.he}|{person}]的生日是哪天？",
                "讲讲[{person.he}|{person}]的童年",
                "[{person.he}|{person}]的真名叫什么",
            ),
            "dropped": (
                "[|{person}]今年多大？",
                "[|{person}]哪里人啊",
                "[|{person}]有微博吗？",
                "[|{person}]是什么星座的？",
            ),
        },
        whole=(
            "{person}多大了？",
            "{person}和{person2}谁更有名？",
            "{person}的代表作是什么？",
            "{person}说过{person.he}为什么选择这一行吗？",
            "{person}是怎么成名的？",
            "你还知道哪些{person.role}？",
            "{person.place}有什么名人？",
        ),
    ),
    Scene(
        openings=(
            ("{person}有什么代表作？", "{person}最有名的是{person.work}。"),
            ("{person}最出名的是什么？", "应该是{person.work}。"),
        ),
        frames={
            "besides": (
                "[|除了{person.work}，{person}]还有别的吗？",
                "[|除了{person.work}，][{person.he}|{person}]还有什么？",
                "[|除了{person.work}，{person}]还有其他的吗？",
                "[除此之外|除了{person.work}，][{person.he}|{person}]还做过什么？",
            ),
            "demonstrative": ("[这个|{person.work}]为什么这么有名？", "[那个|{person.work}]我没听说过"),
        },
        whole=("除了{person.work}，{person}还有什么代表作？", "{person.work}好在哪里？"),
    ),
    Scene(
        openings=(
            (
                "{person}和{person2}认识吗？",
                "认识，{person}是{person.role}，{person2}是{person2.role}，两人在{city}见过面。",
            ),
            ("比较一下{person}和{person2}", "{person}是{person.role}，{person2}是{person2.role}。"),
        ),
        frames={
            "several antecedents": (
                "[{person.he}|{person}]多大了？",
                "[{person2.he}|{person2}]多大了？",
                "[{person2.he}|{person2}]是哪里人？",
                "[{person.he}|{person}]是哪一年出生的？",
                "[前者|{person}]更有名吗？",
                "[后者|{person2}]现在还工作吗？",
                "[那个{person2.role}|{person2}]结婚了吗？",
                "[他们|{person}和{person2}]谁年纪大？",
                "[两个人|{person}和{person2}]是朋友吗？",
                "[{person2.he}|{person2}]的代表作呢？",
            ),
        },
        whole=("{person}比{person2}大吗？", "{person2}是哪里人？"),
    ),
    Scene(
        openings=(
            ("{contact}给我打电话了吗？", "打了，{contact}{time}打来过一次。"),
            ("念一下最新的短信", "{contact}说：{day}{time}见。"),
        ),
        frames={
            "two clauses": (
                "打电话给[{contact.he}|{contact}]，告诉{contact.he}我晚点到",
                "问问[{contact.he}|{contact}]{contact.he}{day2}有没有空",
            ),
            "command": (
                "给[{contact.he}|{contact}]回个电话",
                "告诉[{contact.he}|{contact}]我晚点到",
                "帮我回复[{contact.he}|{contact}]好的",
                "[{contact.he}|{contact}]的号码是多少？",
                "[{contact.he}|{contact}]还说什么了？",
                "把[{contact.he}|{contact}]拉黑",
                "{day2}约[{contact.he}|{contact}]吃饭",
                "把我的位置发给[{contact.he}|{contact}]",
            ),
        },
        whole=("打电话给{contact2}", "告诉{contact}我想{contact.he}了", "我有未读消息吗？"),
    ),
)

MEDIA: Final = (
    Scene(
        openings=(
            ("你看过{film}吗？", "{film}是{film.maker}导演的电影，{film.year}年上映。"),
            ("推荐一部电影吧", "推荐您看{film}，{film.lead}主演，口碑很好。"),
            ("{film}是谁导演的", "{film}的导演是{film.maker}。"),
        ),
        frames={
            "two clauses": (
                "[它|{film}]的导演是谁，他还拍过什么？",
                "[它|{film}]好看吗，在哪里能看？",
            ),
            "it": (
                "[它|{film}]讲的是什么？",
                "[这部电影|{film}]好看吗？",
                "[那部电影|{film}]有多长？",
                "在哪里可以看[它|{film}]？",
                "[它|{film}]的票房是多少？",
                "把[它|{film}]加入想看清单",
                "[这部片子|{film}]适合孩子看吗？",
            ),
            "dropped": (
                "[|{film}]好看吗？",
                "[|{film}]得过什么奖？",
                "[|{film}]豆瓣评分多少",
                "[|{film}]主角是谁？",
                "我看过[|{film}]，挺感人的",
                "我还没看过[|{film}]",
                "[|{film}]有续集吗？",
            ),
        },
        whole=(
            "{film}和{film2}哪个好看？",
            "{film}的票房是多少？",
            "{film.maker}还拍过什么电影？",
            "最近有什么好看的电影？",
        ),
    ),
    Scene(
        openings=(
            ("播放{song}", "正在为您播放{song.singer}的{song}。"),
            ("这首歌叫什么", "这首歌是{song.singer}的{song}。"),
        ),
        frames={
            "command": (
                "再放一遍[|{song}]",
                "单曲循环[这首|{song}]",
                "把[它|{song}]加到我的歌单",
                "收藏[这首歌|{song}]",
                "把[这首歌|{song}]发给{contact}",
                "下载[它|{song}]",
                "以后别放[这首|{song}]了",
            ),
            "it": ("[它|{song}]是哪一年的歌？", "[这首歌|{song}]的歌词是什么？", "[这首|{song}]是谁写的？"),
            "besides": ("[|除了{song}，]{song.singer}还有什么歌？", "[|除了{song}，]{song.singer}还有哪些好听的歌？"),
        },
        whole=("播放{song2.singer}的{song2}", "下一首", "声音大一点", "暂停播放", "{song}是哪一年的歌？", "来点轻音乐"),
    ),
    Scene(
        openings=(
            ("我在看{book}", "{book}是{book.writer}写的，非常经典。"),
            ("推荐一本书", "可以读读{book.writer}的{book}。"),
        ),
        frames={
            "it": (
                "[它|{book}]有多少页？",
                "[这本书|{book}]讲了什么？",
                "帮我下单[这本|{book}]",
                "[它|{book}]有电子版吗？",
                "[这本书|{book}]多少钱？",
            ),
            "dropped": ("[|{book}]拍成电影了吗？", "[|{book}]难读吗？", "[|{book}]结局是什么？"),
            "besides": ("[|除了{book}，]{book.writer}还写过什么？", "[|除了{book}，]{book.writer}还有什么书？"),
        },
        whole=("{book}有多少页？", "{book}适合中学生读吗？", "你最喜欢哪本书？"),
    ),
    Scene(
        openings=(
            ("{game}好玩吗？", "{game}评价很高，很多人都在玩。"),
            ("我昨天玩{game}到半夜", "{game}确实容易上瘾。"),
        ),
        frames={
            "dropped": ("[|{game}]多少钱？", "[|{game}]手机能玩吗？", "[|{game}]能联机吗", "[|{game}]怎么下载？"),
            "it": ("[它|{game}]是哪家公司做的？", "[这个游戏|{game}]适合新手吗？", "[它|{game}]占多大内存？"),
        },
        whole=("{game}和{game2}哪个好玩？", "有什么适合情侣玩的游戏？"),
    ),
    Scene(
        openings=(
            ("{series}好看吗？", "{series}很经典，值得一看。"),
            ("我终于看完{series}了", "恭喜！您觉得{series}怎么样？"),
        ),
        frames={
            "dropped": (
                "[|{series}]有几季？",
                "[|{series}]一共多少集？",
                "[|{series}]在哪个平台看？",
                "[|{series}]结局是什么",
            ),
            "it": ("[它|{series}]的主演是谁？", "还有类似[它|{series}]的剧吗？", "播放[它|{series}]的下一集"),
        },
        whole=("{series}一共多少集？", "{series}和{series2}哪个更好看？"),
    ),
)

SHOPPING: Final = (
    Scene(
        openings=(
            ("介绍一下{gadget}", "{gadget}售价{gadget.price}，支持{gadget.feature}。"),
            ("我想买{gadget}", "好的，{gadget}现在有货，{gadget.feature}很受欢迎。"),
            ("你们有{gadget}吗？", "有的，{gadget}今天还有优惠。"),
        ),
        more=(("质量怎么样", "好评率98%。"), ("嗯嗯", "需要我帮您看看详情吗？")),
        frames={
            "two clauses": (
                "[它|{gadget}]多少钱，有黑色的吗？",
                "[它|{gadget}]要是掉进水里，还能修好它吗？",
            ),
            "dropped": (
                "[|{gadget}]多少钱？",
                "[|{gadget}]有货吗？",
                "[|{gadget}]防水吗？",
                "[|{gadget}]有黑色的吗",
                "[|{gadget}]保修多久？",
                "[|{gadget}]什么时候发货？",
                "[|{gadget}]支持分期吗？",
                "[|{gadget}]能便宜点吗",
                "[|{gadget}]有优惠券吗？",
            ),
            "it": (
                "[它|{gadget}]的电池能用多久？",
                "[这个|{gadget}]重不重？",
                "把[它|{gadget}]加入购物车",
                "[这款|{gadget}]和{gadget2}比怎么样？",
                "[它|{gadget}]的尺寸是多少？",
                "那就要[这个|{gadget}]吧",
            ),
        },
        whole=("{gadget}多少钱？", "{gadget}和{gadget2}哪个好？", "你们几点关门？", "可以用花呗吗？"),
    ),
    Scene(
        openings=(
            ("{gadget}和{gadget2}哪个好？", "各有优势，{gadget}支持{gadget.feature}。"),
            ("帮我对比{gadget}和{gadget2}", "{gadget}售价{gadget.price}，{gadget2}售价{gadget2.price}。"),
        ),
        frames={
            "several antecedents": (
                "[|{gadget}和{gadget2}]哪个便宜？",
                "[|{gadget}和{gadget2}]哪个更轻？",
                "[第一个|{gadget}]有白色吗？",
                "[第二个|{gadget2}]防水吗？",
                "我要[前者|{gadget}]",
                "[后者|{gadget2}]有现货吗？",
                "[这两个|{gadget}和{gadget2}]都包邮吗？",
            ),
        },
        whole=("{gadget}值{gadget.price}吗？", "{gadget2}有红色的吗？"),
    ),
    Scene(
        openings=(
            ("我买的{item}坏了", "非常抱歉，请提供一下订单号。", "{order}", "已查到订单{order}，从{city}发货。"),
            ("我的{item}怎么还没到？", "您的包裹目前在{city}转运中心。"),
            ("我上周买了{item}，颜色发错了", "很抱歉给您带来不便。"),
        ),
        frames={
            "support": (
                "我能退[它|{item}]吗？",
                "[|{item}]可以退货吗？",
                "[|{item}]什么时候能到？",
                "[|{item}]怎么换货？",
                "我不想要[|{item}]了",
                "[它|{item}]还在保修期吗？",
                "[|{item}]退款多久到账？",
                "能把[它|{item}]改送到{street}吗？",
                "[这个|{item}]能上门取件吗？",
                "[|{item}]运费谁出？",
                "你们能把[它|{item}]换成别的颜色吗？",
                "你们什么时候来取[它|{item}]？",
            ),
        },
        whole=("我的地址是{street}", "我要转人工", "我要投诉", "订单号是{order}", "你们支持七天无理由退货吗？"),
    ),
    Scene(
        openings=(
            ("{plan}多少钱？", "{plan}每月{price}。"),
            ("我想开通{plan}", "好的，{plan}每月{price}，确认开通吗？"),
            ("我现在用的是{plan}", "好的，请问{plan}有什么问题吗？"),
        ),
        frames={
            "support": (
                "[它|{plan}]包含什么？",
                "怎么取消[|{plan}]？",
                "[|{plan}]什么时候到期？",
                "[这个|{plan}]能换成{plan2}吗？",
                "[|{plan}]可以几个人用？",
                "[|{plan}]有年付优惠吗？",
                "帮我续费[|{plan}]",
                "你们能帮我取消[它|{plan}]吗？",
            ),
        },
        whole=("{plan}和{plan2}有什么区别？", "我忘记密码了", "怎么开发票？"),
    ),
    Scene(
        openings=(
            ("我想开{item}的发票", "好的，{item}的发票三天内开好。"),
            ("{item}的发票开了吗？", "{item}的发票正在开具。"),
        ),
        frames={
            "support": (
                "[它|{item}的发票]什么时候寄出？",
                "[|{item}的发票]抬头能改吗？",
                "你们能把[它|{item}的发票]寄到{street}吗？",
                "把[它|{item}的发票]发到我邮箱",
            ),
        },
        whole=(
            "{item}的发票多久能寄到？",
            "我的邮箱改了",
        ),
    ),
    Scene(
        openings=(
            ("帮我查一下订单{order}", "订单{order}已发货，{day}送达。"),
            ("订单{order}到哪了？", "订单{order}正在{city}派送。"),
        ),
        frames={
            "support": (
                "[它|订单{order}]还能取消吗？",
                "[|订单{order}]发的是哪家快递？",
                "你们能把[它|订单{order}]改送到{street}吗？",
                "[|订单{order}]今天能到吗？",
            ),
        },
        whole=(
            "我要取消订单{order}",
            "我的电话换了",
        ),
    ),
    Scene(
        openings=(
            ("我的{gadget}送修了", "好的，{gadget}正在维修，{day}完成。"),
            ("{gadget}坏了能修吗？", "可以的，请把{gadget}寄给我们。"),
        ),
        frames={
            "support": (
                "修[它|{gadget}]要多少钱？",
                "你们修[它|{gadget}]要几天？",
                "[它|{gadget}]还在保修期吗？",
                "修好以后把[它|{gadget}]寄到{street}",
            ),
        },
        whole=(
            "{gadget}的维修费是多少？",
            "你们有多少家维修点？",
        ),
    ),
    Scene(
        openings=(
            ("你们还有{item}吗？", "有的，{item}现在{price}。"),
            ("{item}多少钱？", "{item}现在{price}，有现货。"),
        ),
        frames={
            "support": (
                "你们能帮我留着[它|{item}]吗？",
                "[|{item}]有别的颜色吗？",
                "你们可以把[它|{item}]寄到{city}吗？",
                "[|{item}]能再便宜点吗？",
            ),
        },
        whole=(
            "你们还有{item2}吗？",
            "{item}和{item2}一起买有优惠吗？",
        ),
    ),
)

HOME: Final = (
    Scene(
        openings=(
            ("打开{device}", "好的，{device}已打开。"),
            ("{device}开着吗？", "{device}现在是开着的。"),
            ("我是不是忘了关{device}", "是的，{device}已经开了{number}个小时。"),
        ),
        frames={
            "two clauses": (
                "把[它|{device}]关掉，{time}再打开它",
                "如果[它|{device}]还开着，就把它关掉",
            ),
            "command": (
                "把[它|{device}]关掉",
                "关了[它|{device}]吧",
                "{time}再打开[它|{device}]",
                "{number2}分钟后关掉[|{device}]",
                "[它|{device}]费电吗？",
                "重启一下[|{device}]",
                "把[它|{device}]设为定时",
                "[它|{device}]现在还开着吗",
                "我出门的时候关[它|{device}]",
            ),
        },
        whole=("关掉{device2}", "把所有的灯都关了", "温度调到26度", "{time}打开{device}", "锁上大门"),
    ),
    Scene(
        openings=(
            ("{meeting}是什么时候？", "{meeting}在{day}{time}。"),
            ("我{day}有什么安排？", "您{day}{time}有{meeting}。"),
        ),
        frames={
            "command": (
                "把[它|{meeting}]改到{time2}",
                "取消[它|{meeting}]",
                "帮我把[这个|{meeting}]推迟一小时",
                "[|{meeting}]在哪里？",
                "[|{meeting}]都有谁参加？",
                "提前半小时提醒我[|{meeting}]",
                "邀请{contact}参加[|{meeting}]",
                "[|{meeting}]要多久？",
            ),
        },
        whole=("取消{meeting}", "{day2}我有空吗？", "提醒我{time2}吃药"),
    ),
    Scene(
        openings=(
            ("设一个{time}的闹钟", "好的，{time}的闹钟已设好。"),
            ("{time}叫我起床", "好的，已设置{time}的闹钟。"),
        ),
        frames={
            "command": (
                "改成{time2}[|的闹钟]",
                "把[它|{time}的闹钟]删了",
                "再设一个{time2}的[|闹钟]",
                "关掉[它|{time}的闹钟]",
                "[那个|{time}的闹钟]每天都响",
            ),
        },
        whole=("现在几点了？", "倒计时{number}分钟", "删除所有闹钟"),
    ),
    Scene(
        openings=(
            ("帮我找一下{file}", "找到了，{file}在文档文件夹里。"),
            ("{file}存在哪里了？", "{file}在桌面上，上周修改过。"),
        ),
        frames={
            "two clauses": (
                "打开[它|{file}]，把它打印两份",
                "把[它|{file}]发给{contact}，让{contact.he}看一下",
            ),
            "command": (
                "打开[它|{file}]",
                "把[它|{file}]发给{contact}",
                "打印两份[|{file}]",
                "删掉[它|{file}]",
                "把[它|{file}]重命名为final_v2",
                "谁能看到[它|{file}]？",
                "[|{file}]有多大？",
            ),
        },
        whole=("打开{file2}", "把{file}发给{contact}", "新建一个文件夹"),
    ),
    Scene(
        openings=(
            ("放一首{song}", "好的，即将播放{song}。"),
            ("来一首{song.singer}的{song}", "好的，正在播放{song}。"),
            ("我想听{song}", "好的，为您播放{song}。"),
        ),
        frames={
            "command": (
                "[它|{song}]是谁唱的？",
                "循环播放[它|{song}]",
                "别放[它|{song}]了",
                "把[它|{song}]设成闹铃",
                "再来一遍[|{song}]",
            ),
        },
        whole=(
            "我想听{song2}",
            "声音小一点",
            "别放音乐了",
        ),
    ),
    Scene(
        openings=(
            ("关掉{device}", "好的，{device}已关闭。"),
            ("把{device}关了", "{device}关好了。"),
            ("帮我关一下{device}", "已为您关闭{device}。"),
        ),
        frames={
            "command": (
                "再打开[它|{device}]",
                "{time}把[它|{device}]打开",
                "[它|{device}]真的关了吗？",
                "{number}分钟后打开[|{device}]",
            ),
        },
        whole=(
            "打开{device2}",
            "家里的灯都关了吗？",
        ),
    ),
    Scene(
        openings=(
            ("打开{room}的灯", "{room}的灯已打开。"),
            ("开一下{room}的灯", "好的，{room}的灯开了。"),
        ),
        frames={
            "command": (
                "把[它|{room}的灯]调暗一点",
                "太亮了，关掉[|{room}的灯]",
                "[它|{room}的灯]能换个颜色吗？",
                "[|{room}的灯]亮度调到50%",
            ),
        },
        whole=(
            "关掉{room2}的灯",
            "把窗帘拉上",
        ),
    ),
    Scene(
        openings=(
            ("导航去{hotel}", "好的，开始导航，目的地{hotel}。"),
            ("我要去{hotel}", "正在规划去{hotel}的路线。"),
        ),
        frames={
            "command": (
                "到[那里|{hotel}]要多久？",
                "去[那儿|{hotel}]的路上堵车吗？",
                "[那里|{hotel}]能停车吗？",
                "[它|{hotel}]离这儿多远？",
                "几点能到[|{hotel}]？",
            ),
        },
        whole=(
            "导航去{hotel2}",
            "附近有加油站吗？",
            "回家要多久？",
        ),
    ),
    Scene(
        openings=(
            ("给{contact}发短信，说我到了", "好的，短信已发给{contact}。"),
            ("给{contact}打电话", "好的，正在呼叫{contact}。"),
            ("微信告诉{contact}我在开会", "好的，消息已发给{contact}。"),
        ),
        frames={
            "command": (
                "再给[{contact.he}|{contact}]打一次",
                "问问[{contact.he}|{contact}]吃饭了没有",
                "[{contact.he}|{contact}]回复了吗？",
                "告诉[{contact.he}|{contact}]我马上到",
            ),
        },
        whole=(
            "给{contact2}打电话",
            "念一下未读短信",
        ),
    ),
    Scene(
        openings=(
            ("开一个{number}分钟的计时器", "好的，{number}分钟的计时器已开始。"),
            ("定一个{number}分钟的计时器", "{number}分钟的计时器已开始。"),
        ),
        frames={
            "command": (
                "改成{number2}分钟的[|计时器]",
                "[|{number}分钟的计时器]还剩多久？",
                "取消[它|{number}分钟的计时器]",
            ),
        },
        whole=(
            "取消所有计时器",
            "现在几点？",
        ),
    ),
    Scene(
        openings=(
            ("让扫地机器人打扫{room}", "好的，扫地机器人开始打扫{room}。"),
            ("扫地机器人开始打扫", "扫地机器人已开始打扫。"),
        ),
        frames={
            "command": (
                "让[它|扫地机器人]回去充电",
                "[它|扫地机器人]还有多少电？",
                "[它|扫地机器人]什么时候能扫完？",
                "让[它|扫地机器人]小声一点",
            ),
        },
        whole=(
            "让扫地机器人打扫{room2}",
            "把电视打开",
        ),
    ),
    Scene(
        openings=(
            ("用电视放{film}", "好的，正在电视上播放{film}。"),
            ("我想看{film}", "好的，为您播放{film}。"),
        ),
        frames={
            "command": (
                "[它|{film}]有多长？",
                "从头播放[|{film}]",
                "把[它|{film}]投到{room}",
                "换个语言放[它|{film}]",
            ),
        },
        whole=(
            "放{film2}",
            "把电视关了",
            "暂停",
        ),
    ),
    Scene(
        openings=(
            ("帮我叫一辆去{hotel}的车", "好的，去{hotel}的车{number}分钟后到。"),
            ("打车去{hotel}", "已为您叫车去{hotel}。"),
        ),
        frames={
            "command": (
                "去[那里|{hotel}]要多少钱？",
                "到[那儿|{hotel}]要多久？",
                "去[那里|{hotel}]走高速吗？",
            ),
        },
        whole=(
            "取消打车",
            "打车去{hotel2}",
        ),
    ),
    Scene(
        openings=(
            ("打开{app}", "好的，{app}已打开。"),
            ("帮我更新{app}", "好的，{app}已更新。"),
        ),
        frames={
            "command": (
                "关掉[它|{app}]",
                "把[它|{app}]卸载了",
                "给[它|{app}]清一下缓存",
                "[它|{app}]现在是什么版本？",
            ),
        },
        whole=(
            "打开{app2}",
            "截个屏",
            "打开蓝牙",
        ),
    ),
    Scene(
        openings=(
            ("{time}提醒我去接孩子", "好的，{time}提醒您去接孩子。"),
            ("提醒我{time}去接孩子", "好的，{time}会提醒您去接孩子。"),
        ),
        frames={
            "command": (
                "改到{time2}[|提醒我去接孩子]",
                "{day}{time2}也[|提醒我去接孩子]",
                "还是{time2}[|提醒我去接孩子]吧",
            ),
        },
        whole=(
            "{time2}提醒我开会",
            "我今天还有什么提醒？",
        ),
    ),
)

TRAVEL: Final = (
    Scene(
        openings=(
            ("我下个月要去{city}", "太好了，在{city}一定要看看{city.sight}。"),
            ("{city}有什么好玩的？", "可以去{city.sight}，再尝尝{city.food}。"),
            ("我姐姐搬到{city}了", "{city}是个好地方，{city.food}很有名。"),
        ),
        frames={
            "place": (
                "[那里|{city}]天气怎么样？",
                "怎么去[那里|{city}]？",
                "[那边|{city}]冷吗？",
                "[那儿|{city}]有什么好吃的？",
                "[那里|{city}]的房价高吗？",
                "帮我订一张去[那里|{city}]的机票",
                "什么时候去[|{city}]最好？",
                "[那儿|{city}]安全吗？",
                "[那里|{city}]有多少人口？",
                "[|{city}]有地铁吗？",
                "在[那边|{city}]住几天合适？",
                "[这座城市|{city}]有什么历史？",
            ),
            "besides": (
                "[|{city}]还有别的景点吗？",
                "[|{city}]还有什么好玩的？",
            ),
        },
        whole=(
            "{city}天气怎么样？",
            "从{city}到{city2}多远？",
            "{city.sight}门票多少钱？",
            "出远门要带什么？",
            "我没去过{city2}",
        ),
    ),
    Scene(
        openings=(
            ("{city}有什么餐厅推荐？", "找到三家：{restaurant}、{restaurant2}和{restaurant3}。"),
            ("附近有什么吃的", "附近有{restaurant}、{restaurant2}和{restaurant3}。"),
        ),
        frames={
            "ordinal": (
                "[第二家|{restaurant2}]人均多少？",
                "订[第一家|{restaurant}]",
                "[第三个|{restaurant3}]几点关门？",
                "[最后一家|{restaurant3}]好吃吗？",
                "[第一个|{restaurant}]在哪里？",
                "就[第二个|{restaurant2}]吧",
                "[第二家|{restaurant2}]呢？",
            ),
        },
        whole=("{restaurant}几点关门？", "{restaurant2}可以停车吗？", "算了，我点外卖吧"),
    ),
    Scene(
        openings=(
            ("{restaurant}怎么样？", "{restaurant}评分4.6，{food}很受欢迎。"),
            ("朋友推荐了{restaurant}", "{restaurant}不错，招牌是{food}。"),
        ),
        frames={
            "place": (
                "[那里|{restaurant}]可以停车吗？",
                "[|{restaurant}]几点关门？",
                "[这家店|{restaurant}]贵吗？",
                "怎么去[那家店|{restaurant}]？",
                "[|{restaurant}]电话多少？",
                "帮我在[那里|{restaurant}]订个位",
                "[|{restaurant}]需要排队吗",
                "[它|{restaurant}]有包间吗？",
            ),
        },
        whole=("{restaurant}需要预约吗？", "{restaurant}和{restaurant2}哪家好吃？", "我饿了"),
    ),
    Scene(
        openings=(
            ("帮我在{restaurant}订{party}", "抱歉，今晚已经订满了。"),
            ("我想要{restaurant}的{party}", "请问您哪天来？"),
        ),
        frames={
            "one": ("那订{day}的[|{party}]", "{day}{time}有[|{party}]吗？", "改成{day}[|的{party}]"),
        },
        whole=("算了，不订了", "那我自己做饭吧"),
    ),
    Scene(
        openings=(
            ("{city}有什么酒店？", "推荐{hotel}，每晚{price}。"),
            ("{hotel}怎么样", "{hotel}环境安静，早餐不错。"),
            ("我订了{hotel}", "好的，{hotel}已确认，{day}入住。"),
        ),
        frames={
            "it": (
                "[它|{hotel}]有游泳池吗？",
                "[那里|{hotel}]含早餐吗？",
                "[它|{hotel}]离机场多远？",
                "[这家酒店|{hotel}]能带宠物吗？",
                "帮我订[它|{hotel}]，住三晚",
            ),
            "dropped": (
                "[|{hotel}]几点入住？",
                "[|{hotel}]可以免费取消吗？",
                "[|{hotel}]有wifi吗",
                "[|{hotel}]地址在哪？",
                "[|{hotel}]一晚多少钱？",
            ),
        },
        whole=("{hotel}离地铁站近吗？", "{city2}哪里住比较方便？"),
    ),
    Scene(
        openings=(
            ("{train}准点吗？", "{train}预计晚点{number}分钟。"),
            ("我坐{train}去{city}", "好的，{train}{time}出发。"),
        ),
        frames={
            "it": (
                "[它|{train}]几点到？",
                "[它|{train}]在哪个站台上车？",
                "[|{train}]还有票吗？",
                "[|{train}]可以改签吗？",
                "帮我退掉[它|{train}]的票",
                "[|{train}]有餐车吗？",
                "[它|{train}]为什么晚点？",
            ),
        },
        whole=("{train}几点到？", "从{city}到{city2}有高铁吗？"),
    ),
)

KNOWLEDGE: Final = (
    Scene(
        openings=(
            ("{company}是做什么的？", "{company}总部在{company.place}，主要做{company.product}。"),
            ("{company}的老板是谁", "{company}的负责人是{company.boss}。"),
        ),
        frames={
            "two clauses": (
                "[它|{company}]刚成立的时候，有多少员工？",
                "[它|{company}]涨价以后，它道歉了吗？",
            ),
            "it": (
                "[它|{company}]是哪一年成立的？",
                "[它|{company}]的股价是多少？",
                "[这家公司|{company}]有多少员工？",
                "[他们|{company}]在招人吗？",
                "[它|{company}]的竞争对手有哪些？",
                "[它|{company}]值得投资吗？",
            ),
            "dropped": ("[|{company}]总部在哪？", "[|{company}]上市了吗？", "[|{company}]去年营收多少？"),
        },
        whole=("{company}和{company2}哪个更大？", "{company}的股价是多少？", "{company}公布它的财报了吗？"),
    ),
    Scene(
        openings=(
            ("{library}是什么？", "{library}是用于{library.topic}的库，类似的还有{library.rival}。"),
            ("我在学{library}", "{library}很适合{library.topic}，可以先试试{library.call}。"),
        ),
        frames={
            "it": (
                "[它|{library}]怎么安装？",
                "[它|{library}]比{library.rival}快吗？",
                "[这个|{library}]支持Windows吗？",
                "[它|{library}]的文档在哪？",
                "给我一个用[它|{library}]的例子",
                "[它|{library}]的最新版本是多少？",
            ),
            "dropped": ("[|{library}]开源吗？", "[|{library}]难学吗", "怎么卸载[|{library}]？"),
        },
        whole=("{library}和{library.rival}有什么区别？", "{library.call}是干什么的？", "Python怎么读取文件？"),
    ),
    Scene(
        openings=(
            ("我的程序报{error}", "{error}可能有多种原因，您用的是什么系统？"),
            ("又出现{error}了", "别着急，{error}很常见。"),
        ),
        frames={
            "support": (
                "[这个|{error}]怎么解决？",
                "[这|{error}]是什么意思？",
                "[|{error}]怎么修复？",
                "为什么会出现[这个|{error}]？",
                "[它|{error}]严重吗？",
                "怎么避免[这种情况|{error}]？",
            ),
        },
        whole=("{error}怎么解决？", "我用的是Windows 11", "我已经重启过了"),
    ),
    Scene(
        openings=(
            ("{app}打不开了", "请尝试更新{app}。"),
            ("{app}怎么改昵称？", "打开{app}，在设置里修改。"),
        ),
        frames={
            "support": (
                "怎么更新[它|{app}]？",
                "[它|{app}]有网页版吗？",
                "怎么卸载[|{app}]？",
                "怎么注销[它|{app}]的账号？",
                "[|{app}]收费吗？",
                "怎么关闭[它|{app}]的通知？",
                "[它|{app}]占多少空间？",
                "[|{app}]客服电话是多少？",
            ),
        },
        whole=("{app}怎么更新？", "{app}和{app2}哪个好用？", "我的手机是安卓的"),
    ),
    Scene(
        openings=(
            ("{medicine}是治什么的？", "{medicine}用于{medicine.use}。"),
            ("医生给我开了{medicine}", "{medicine}主要用于{medicine.use}，可能会引起{medicine.effect}。"),
            ("{medicine}有副作用吗？", "可能会引起{medicine.effect}。"),
        ),
        frames={
            "it": (
                "[它|{medicine}]一天吃几次？",
                "[它|{medicine}]能和酒一起吃吗？",
                "孕妇可以吃[这个|{medicine}]吗？",
                "吃了[它|{medicine}]能开车吗？",
                "[它|{medicine}]多久见效？",
            ),
            "dropped": ("[|{medicine}]饭前吃还是饭后吃？", "[|{medicine}]需要处方吗？", "漏服[|{medicine}]怎么办？"),
        },
        whole=("{medicine}可以和{medicine2}一起吃吗？", "{medicine}饭前吃还是饭后吃？", "我需要去医院吗？"),
    ),
    Scene(
        openings=(
            ("{medicine}有什么副作用？", "常见的是{medicine.effect}。"),
            ("吃{medicine}会不舒服吗？", "少数人会{medicine.effect}。"),
        ),
        frames={
            "besides": (
                "[|除了{medicine.effect}，{medicine}]还有别的副作用吗？",
                "[|除了{medicine.effect}，{medicine}]还有其他的吗？",
                "[|除了{medicine.effect}，]还会怎么样？",
            ),
        },
        whole=("除了{medicine.effect}，{medicine}还有什么副作用？",),
    ),
    Scene(
        openings=(
            ("什么是{illness}？", "{illness}常见的表现是{illness.sign}。"),
            ("我好像得了{illness}", "{illness}一般会{illness.sign}，建议去医院检查。"),
        ),
        frames={
            "dropped": (
                "[|{illness}]怎么治？",
                "[|{illness}]会传染吗？",
                "[|{illness}]吃什么药？",
                "[|{illness}]能根治吗",
                "得了[|{illness}]要忌口吗？",
            ),
            "it": ("[它|{illness}]是什么引起的？", "[这个病|{illness}]严重吗？", "怎么预防[它|{illness}]？"),
        },
        whole=("{illness}是什么引起的？", "{illness}挂什么科？", "怎么预约挂号？"),
    ),
    Scene(
        openings=(
            ("什么是{finance}？", "{finance}是一种常见的理财方式。"),
            ("我想了解一下{finance}", "好的，{finance}的门槛不高。"),
        ),
        frames={
            "dropped": (
                "[|{finance}]风险大吗？",
                "[|{finance}]收益多少？",
                "[|{finance}]怎么买？",
                "[|{finance}]手续费高吗",
            ),
            "it": ("[它|{finance}]适合新手吗？", "[这个|{finance}]靠谱吗？", "[它|{finance}]和{finance2}有什么区别？"),
        },
        whole=("{finance}和{finance2}哪个好？", "今天股市怎么样？"),
    ),
    Scene(
        openings=(
            ("{food}怎么做？", "做{food}的关键是{food.part}。"),
            ("今晚我吃了{food}", "{food}很香！{food.part}放得多吗？"),
        ),
        frames={
            "dropped": ("[|{food}]热量高吗？", "[|{food}]是哪里的菜？", "[|{food}]需要什么材料？", "[|{food}]辣不辣"),
            "it": (
                "[它|{food}]的热量是多少？",
                "[这道菜|{food}]配什么主食好？",
                "孩子能吃[这个|{food}]吗？",
                "[它|{food}]能放冰箱几天？",
            ),
        },
        whole=("{food}怎么做才好吃？", "{food}和{food2}哪个更辣？", "我对花生过敏"),
    ),
    Scene(
        openings=(
            ("{team}赢了吗？", "赢了，{team}战胜了{team.rival}，{team.star}表现出色。"),
            ("{team}昨天表现怎么样", "{team}输给了{team.rival}。"),
        ),
        frames={
            "two clauses": ("[他们|{team}]为什么要换掉他们的教练？",),
            "plural pronoun": (
                "[他们|{team}]下一场什么时候？",
                "[他们|{team}]的教练是谁？",
                "[他们|{team}]排名第几？",
                "帮我买一张[他们|{team}]的球票",
                "[|{team}]比分是多少？",
            ),
        },
        whole=("{team}的教练是谁？", "{team.star}进了几个球？"),
    ),
    Scene(
        openings=(
            ("{event}是哪一年？", "{event}发生在{event.year}年的{event.place}。"),
            ("讲讲{event}", "{event.year}年，{event.place}发生了{event}。"),
        ),
        frames={
            "it": (
                "[它|{event}]的起因是什么？",
                "[这件事|{event}]有什么影响？",
                "[它|{event}]持续了多久？",
                "推荐一本关于[它|{event}]的书",
            ),
            "time": (
                "[那年|{event.year}年]还发生了什么？",
                "[当时|{event.year}年]谁掌权？",
                "[那时候|{event.year}年][那里|{event.place}]有多少人？",
            ),
        },
        whole=("{event}的起因是什么？", "{event}和{event2}哪个更早？"),
    ),
    Scene(
        openings=(
            ("{animal}吃什么？", "{animal}主要吃{animal.food}。"),
            ("我昨天看到一只{animal}", "好幸运！{animal}爱吃{animal.food}。"),
        ),
        frames={
            "two clauses": ("[它|{animal}]害怕的时候，它会做什么？",),
            "it": (
                "[它|{animal}]能活多久？",
                "[它们|{animal}]住在哪里？",
                "[它|{animal}]会咬人吗？",
                "能养[它|{animal}]当宠物吗？",
                "[它|{animal}]有多重？",
            ),
            "besides": ("[|除了{animal.food}，][它|{animal}]还吃什么？",),
        },
        whole=("{animal}能活多久？", "{animal}和{animal2}哪个更大？", "我喜欢猫"),
    ),
)

ELLIPSIS: Final = (
    contrast("", "{city}", "{city2}", "天气怎么样", "晴天，{number}度左右。", "今天有小雨。"),
    contrast("", "{city}", "{city2}", "现在几点", "现在是{time}。"),
    contrast(
        "", "{country}", "{country2}", "的首都是哪里", "{country.capital}。", "{country}的首都是{country.capital}。"
    ),
    contrast("", "{person}", "{person2}", "是哪一年出生的", "{person.year}年。", "{person.year}年，在{person.place}。"),
    contrast("", "{gadget}", "{gadget2}", "多少钱", "{gadget.price}。", "现在卖{gadget.price}。"),
    contrast("", "{company}", "{company2}", "的股价是多少", "{company}收盘{price}。"),
    contrast("", "{food}", "{food2}", "的热量是多少", "一份大约{food.kcal}千卡。"),
    contrast("怎么去", "{city}", "{city2}", "", "可以坐高铁。", "建议坐飞机。"),
    contrast("", "{day}", "{day2}", "你们营业吗", "营业的，{time}开门。", "不营业。"),
    contrast("", "{day}", "{day2}", "会下雨吗", "不会。", "会的，记得带伞。"),
    contrast("{word}用", "{tongue}", "{tongue2}", "怎么说", "我念给您听。", "您听一下。"),
    contrast("{amount}等于多少", "{currency}", "{currency2}", "", "我查一下汇率。", "稍等。"),
    contrast("去", "{country}", "{country2}", "需要签证吗", "短期旅游不需要。", "需要的。"),
    contrast("能不能打开", "{room}的灯", "{room2}的灯", "", "好的，已打开。"),
    contrast("", "{train}", "{train2}", "几点出发", "{time}。", "{time}出发。"),
    contrast("", "{app}", "{app2}", "怎么注销账号", "在设置里操作。"),
    contrast("", "{medicine}", "{medicine2}", "能长期吃吗", "请遵医嘱。", "不建议。"),
    asked_back("{train}", "取消", "是的，取消了。", "很抱歉，是的。"),
    asked_back("{company}", "涨价", "是的。", "涨了。"),
    asked_back("{company}", "裁员", "是的，裁了不少人。", "裁了。"),
    asked_back("{app}", "崩", "好像是的。", "部分用户打不开。"),
    asked_back("{person}", "搬家", "是的。", "听说是。"),
    asked_back("{team}", "换教练", "换了。", "是的，刚换。"),
    asked_back("{hotel}", "关门", "是的，正在装修。", "对。"),
    Scene(
        openings=(("把{amount}换成{currency}", "正在查询汇率。"), ("我每周赚{amount}", "每周{amount}，明白了。")),
        frames={
            "demonstrative": (
                "[那|{amount}]是多少{currency2}？",
                "[这|{amount}]在{country}算多吗？",
                "[这些钱|{amount}]够去{city}玩吗？",
            ),
        },
        whole=("{amount}是多少{currency2}？", "15乘以24等于多少？"),
    ),
)

SCENES: Final[tuple[Scene, ...]] = (
    leading_to("resolved inside", PEOPLE)
    + MEDIA
    + leading_to("to the shop", SHOPPING)
    + leading_to("small talk", HOME)
    + TRAVEL
    + KNOWLEDGE
    + ELLIPSIS
)
