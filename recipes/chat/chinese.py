"""Chinese: turns that stand on their own, small talk, and how people type."""

import random
from dataclasses import replace
from typing import Final

from recipes.chat.chinese_followups import COMPLETE, FAREWELLS, FOLLOWUPS
from recipes.chat.chinese_scenes import SCENES
from recipes.chat.chinese_tables import TABLES
from recipes.chat.compose import Draft, Material, Part

STANDALONE: Final = {
    "new topic": (
        "{person}是谁？",
        "{country}的首都是哪里？",
        "{food}怎么做？",
        "播放{song.singer}的{song}",
        "{city}今天天气怎么样？",
        "{company}是做什么的？",
        "推荐一本好书",
        "帮我在{restaurant}订{party}",
        "设一个{time}的闹钟",
        "讲个笑话吧",
        "{error}是什么意思？",
        "{library}怎么安装？",
        "什么是{finance}？",
        "{series}一共几季？",
        "{event}是哪一年？",
        "{word}用{tongue}怎么说？",
        "换个话题，{film}是谁导演的？",
        "对了，{restaurant}{day}营业吗？",
        "话说{illness}有什么症状？",
        "打开{device}",
        "12乘以17等于多少？",
        "哪里可以买到{item}？",
        "提醒我{time}开会",
        "{library}和{library.rival}哪个好？",
        "帮我查一下{train}的时刻",
        "今天有什么新闻？",
        "怎么学好{tongue}？",
        "{animal}能活多少年？",
        "{day}去{city}的机票多少钱？",
        "帮我写一封请假邮件",
        "用Python怎么写冒泡排序？",
    ),
    "resolved inside": (
        "{person}说{person.he}什么时候退休？",
        "打电话给{contact}，告诉{contact.he}我晚点到",
        "问问{contact}{contact.he}{day}有没有空",
        "把{file}找出来，发给{contact}",
        "如果{item}坏了，可以退掉它吗？",
        "我买了{item}，但是它坏了",
        "打开{device}，{time}再把它关掉",
        "我妈说她手机丢了",
        "我弟弟想换他的房间",
        "{company}为什么把它的总部搬到{city}？",
        "{team}的球员说他们很累",
        "{film}这部电影好看吗？",
        "{city}这个城市怎么样？",
        "{person}成名以后，{person.he}还回过{person.place}吗？",
        "{person}小时候家里穷吗，{person.he}的父母是做什么的？",
        "{person}成为{person.role}之前，{person.he}做过什么？",
        "如果{person}没有当{person.role}，{person.he}会做什么？",
        "{person}出名的时候，{person.he}多大？",
        "{person}为什么说{person.he}不想出名？",
        "{person}有没有写过{person.he}自己的故事？",
        "{person}是谁，{person.he}为什么这么有名？",
        "第一个登上月球的人是谁，他说了什么？",
        "第一位获得诺贝尔奖的女性是谁，她研究的是什么？",
        "发明电话的人叫什么，他是哪国人？",
        "中国第一位女航天员是谁，她是哪一年上天的？",
        "世界上最高的人是谁，他有多高？",
        "泰坦尼克号的船长看到冰山的时候，他做了什么？",
        "{film}的导演是谁，他还拍过什么？",
        "写{book}的人是谁，他是哪里人？",
        "{company}的老板说过他什么时候退休吗？",
        "{company}刚成立的时候，它有多少员工？",
        "{company}涨价以后，它道歉了吗？",
        "{city}有多大，它的人口是多少？",
        "{animal}害怕的时候，它会做什么？",
        "{animal}怎么在冬天找到它的食物？",
        "我想买{gadget}，它有黑色的吗？",
        "{gadget}掉进水里了，它还能修好吗？",
        "打开{file}，把它打印两份",
        "找到{file}，然后把它删掉",
        "如果{device}还开着，就把它关掉",
        "告诉{contact}，{contact.he}的快递到了",
        "{contact}要是打电话来，就告诉{contact.he}我睡了",
        "把{file}发给{contact}，让{contact.he}看一下",
        "{team}要是赢了，他们能拿冠军吗？",
        "{team}为什么要换掉他们的教练？",
        "我奶奶膝盖疼，她能吃{medicine}吗？",
        "我同事对花生过敏，他能吃{food}吗？",
        "我朋友在{city}丢了她的护照，她该找谁？",
        "我爸妈要去{city}，他们坐什么车方便？",
        "我买的{item}到了，但是它的颜色不对",
        "老板让我{time}给他打电话，提醒我一下",
        "{app}关掉以后，它还会在后台运行吗？",
        "{medicine}是什么药，它有副作用吗？",
        "{game}出来以后，它更新过几次？",
    ),
    "to the shop": (
        "你们几点开门？",
        "你们周末几点关门？",
        "你们周末营业吗？",
        "你们节假日上班吗？",
        "你们的地址在哪里？",
        "你们店在哪条路上？",
        "你们有实体店吗？",
        "你们在{city}有门店吗？",
        "离{street}最近的门店在哪里？",
        "你们店里有停车位吗？",
        "你们的客服电话是多少？",
        "你们的投诉电话是多少？",
        "你们的客服几点下班？",
        "怎么联系你们的人工客服？",
        "我想找你们的经理",
        "能让你们的主管给我回电话吗？",
        "你们有微信公众号吗？",
        "贵司的营业时间是几点到几点？",
        "贵司的总部在哪里？",
        "贵司的全称是什么？",
        "贵司可以开增值税专用发票吗？",
        "贵司的邮箱是多少？",
        "贵司还招人吗？",
        "你们开的是电子发票还是纸质发票？",
        "你们开发票要几天？",
        "我的登录密码怎么改？",
        "你们的退货政策是什么？",
        "你们的退货地址是哪里？",
        "你们退款一般要几天？",
        "你们的会员怎么办理？",
        "你们的会员有什么优惠？",
        "你们的会员积分怎么用？",
        "我的会员等级在哪里看？",
        "我的账户余额怎么查？",
        "我的收货地址在哪里改？",
        "你们一般发什么快递？",
        "你们送货到{city}吗？",
        "你们满多少钱包邮？",
        "你们可以刷信用卡吗？",
        "你们卖{item}吗？",
        "你们最近有什么活动？",
        "你们的优惠券在哪里领？",
        "你们的礼品卡怎么买？",
        "你们有以旧换新的活动吗？",
        "我想给你们提个建议",
        "你们的服务态度真好",
    ),
    "you and I": (
        "你能帮我吗？",
        "你觉得呢？",
        "我想问个问题",
        "我今天好累",
        "我睡不着",
        "我想学{tongue}",
        "你会说{tongue}吗？",
        "我住在{city}",
        "我是{year}年出生的",
        "我要找人工客服",
        "我晚上吃什么好？",
        "你能说慢一点吗？",
        "我们一共{number}个人",
        "我刚从{city}搬到{city2}",
        "我好无聊啊",
        "我有点想家",
        "外面下雨了",
        "现在几点了？",
        "今天星期几？",
        "我手机尾号是{order}",
    ),
    "about the bot": (
        "你是机器人吗？",
        "你叫什么名字？",
        "你几岁了？",
        "你是男的还是女的？",
        "谁创造了你？",
        "你会唱歌吗？",
        "你有女朋友吗？",
        "你真聪明",
        "你好笨啊",
        "你听得懂我说话吗？",
        "你住在哪里？",
        "你是ChatGPT吗？",
        "你会不会累？",
        "你喜欢{song.singer}吗？",
        "你看过{book}吗？",
        "你能做什么？",
        "你还记得我吗？",
        "你在干嘛",
    ),
}

SMALL_TALK: Final = tuple(
    """
    你好 您好 嗨 哈喽 hello hi 早 早上好 早安 中午好 下午好 晚上好 在吗 在不在 好久不见 最近怎么样 吃了吗 你好呀
    hey 大家好 我回来了 有人吗 初次见面 幸会 谢谢 谢谢你 谢啦 多谢 非常感谢 太感谢了 感谢 3q thx 谢谢，不用了
    好的，谢谢 谢谢您的帮助 辛苦了 麻烦你了 不客气 不用谢 应该的 没事 没关系 别客气 好 好的 好吧 好嘞 好哒 行
    行吧 可以 可以的 嗯 嗯嗯 哦 哦哦 噢 ok OK 收到 明白 明白了 懂了 知道了 我知道了 原来如此 原来是这样 这样啊
    是这样啊 了解 了解了 没问题 就这样吧 那好吧 听你的 随便 都行 都可以 无所谓 是 是的 是啊 对 对的 对啊 没错
    当然 当然可以 必须的 确实 的确 不是 不 不要 不用 不用了 不行 没有 还没有 不知道 我不知道 不清楚 不太确定
    也许吧 可能吧 大概吧 看情况 应该是吧 我想想 让我想想 再说吧 哈哈 哈哈哈 哈哈哈哈 嘿嘿 呵呵 嘻嘻 笑死我了
    太好笑了 哇 哇塞 真的吗 真的假的 不会吧 天哪 天啊 我的天 厉害 太厉害了 牛 真牛 666 棒 太棒了 真棒 太好了
    不错 挺好的 很好 完美 有意思 有趣 好玩 有道理 说得对 你说得对 我同意 我也这么觉得 赞 好可爱 太可惜了 真可惜
    可惜 唉 哎 哎呀 无语 晕 郁闷 烦死了 气死我了 好难过 好开心 加油 恭喜 恭喜恭喜 祝你好运 生日快乐 新年快乐
    中秋快乐 节日快乐 对不起 抱歉 不好意思 打扰了 我错了 发错了 打错字了 别介意 再见 拜拜 拜 88 回头见 明天见
    晚安 回聊 先这样 我先走了 我去忙了 下次聊 保重 周末愉快 慢走 等一下 稍等 等等 等会儿 停 算了 没什么 没事了
    不说了 继续 接着说 然后呢 什么 啊 啥 嗯？ 你说什么 再说一遍 没听懂 我没明白 听不懂 搞不懂 测试 好无聊 困了
    好困 饿了 我累了 爱你 么么哒 抱抱 喜欢
    睡了 我睡了 我要睡了 我去睡了 睡觉啦 该睡觉了 做个好梦 好梦 晚安啦 晚安，好梦 早点睡 早点休息 明早见 安安 休息了
    我先休息了 下了 我下线了 先下了 溜了 闪了 走了 我走啦 先撤了 再会 回见 改天聊 有空再聊 改天见 下次见 待会见
    一会儿见 出门了 上班去了 路上小心 一路顺风 祝你愉快 谢了 谢谢啦 谢谢哦 谢谢你啊 多谢啦 感激不尽 谢谢，再见
    谢谢，晚安 好的，晚安 好的，再见 有劳了 辛苦啦 麻烦啦 帮大忙了 爱了 你真好 真贴心 真乖 好棒 干得漂亮 干得好 做得好
    真行 真快 好快 真方便 省心 不愧是你 你最棒 给你点赞 舒服 耶 好耶 太赞了 绝了 可以啊 不赖
    """.split()
)

GREETINGS: Final = (
    ("你好", "您好，请问有什么可以帮您？"),
    ("在吗", "在的，请讲。"),
    ("早上好", "早上好！今天想聊点什么？"),
    ("讲个笑话", "有一天，0遇见了8，说：胖就胖呗，还系什么腰带。"),
    ("你会做什么", "我可以回答问题、播放音乐、预订餐厅等等。"),
)

_EMOJI: Final = ("😊", "😂", "👍", "🙏", "😭", "🎉", "🤔", "~", "^_^")
_MARKS: Final = str.maketrans("？，。！", "?,.!")


def vary_small_talk(rng: random.Random, phrase: str) -> str:
    """A phrase in one of the ways people type it."""
    if phrase[-1] not in "？吗么":
        phrase += rng.choice(("", "", "", "。", "！", "啊" if phrase[-1] in "的好对是" else "~", "..."))
    return phrase + rng.choice(_EMOJI) if rng.random() < 0.15 else phrase


def vary(rng: random.Random, draft: Draft) -> Draft:
    """The dialogue as it might have been typed: with or without marks, with marks of the other width, with slips."""
    chance = rng.random()
    history, last = draft.history, draft.last
    if chance < 0.3:  # the user drops the marks at the end
        history = tuple(turn.rstrip("？。！") if i % 2 == 0 else turn for i, turn in enumerate(history))
    elif chance < 0.45:  # so do both
        history = tuple(turn.rstrip("？。！") for turn in history)
    if draft.phenomenon != "small talk" and chance < 0.55:
        *parts, end = last
        kept = end.said.rstrip("？。！")
        last = (*parts, Part(kept, kept)) if end.kept and (kept or parts) else last
    if chance > 0.9:
        history = tuple(turn.translate(_MARKS) for turn in history)
        last = tuple(Part(part.said.translate(_MARKS), part.rewritten.translate(_MARKS)) for part in last)
    if 0.8 < chance < 0.9:
        history = tuple(turn.lower() for turn in history)
        last = tuple(Part(part.said.lower(), part.rewritten.lower()) for part in last)
    if rng.random() < 0.08:
        last = tuple(_with_slip(part) if part.kept else part for part in last)
    return Draft(history, last, draft.phenomenon)


def _with_slip(part: Part) -> Part:
    """Words as an input method or haste spells them."""
    text = part.said
    for right, wrong in (
        ("什么", "神马"),
        ("怎么", "咋么"),
        ("时候", "时侯"),
        ("帮我", "邦我"),
        ("知道", "只道"),
        ("可以", "可已"),
    ):
        text = text.replace(right, wrong)
    return Part(text, text)


CHINESE: Final = Material(
    "zh",
    TABLES,
    SCENES + FOLLOWUPS,
    {kind: STANDALONE.get(kind, ()) + COMPLETE.get(kind, ()) for kind in STANDALONE | COMPLETE},
    tuple(dict.fromkeys(SMALL_TALK + FAREWELLS)),
    GREETINGS,
    vary,
    vary_small_talk,
)
FOLLOWUPS_ONLY: Final = replace(CHINESE, scenes=FOLLOWUPS, standalone=COMPLETE)
