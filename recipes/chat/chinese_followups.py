"""Chinese chats whose last turn is a fragment of a longer question, and turns that look like one and are not."""

import re
from typing import Final

from recipes.chat.compose import Scene, leading_to

_NUMBERED: Final = re.compile(r"\{([a-z_]+)\d\}")
_BETWEEN: Final = (
    ("好的，谢谢", "不客气，还有什么可以帮您？"),
    ("嗯嗯", "您还想了解什么？"),
    ("知道了", "好的，有问题随时叫我。"),
    ("真的吗", "是的。"),
)


def _answered(asked: tuple[str, ...], answers: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Exchanges of every question and answer; some with a word or two after them."""
    short = tuple((question, answer) for question in asked for answer in answers)
    longer = tuple((asked[0], answer, *between) for answer in answers[:1] for between in _BETWEEN[: len(short) // 3])
    return short + longer


def chain(question: str, answers: tuple[str, str], turn: str) -> Scene:
    """A question that came back with one part swapped and does so again; the turn is written as for `swap`."""
    before, said, after = turn.split("|")
    again = _NUMBERED.sub(r"{\g<1>9}", said)
    return Scene(
        openings=(
            (f"{question}？", answers[0], f"那{said}呢？", answers[1]),
            (f"请问{question}？", answers[0], f"{said}呢", answers[1]),
            (f"{question}？", answers[0], f"{before}{said}{after}？", answers[1]),
        ),
        frames={
            "substituted again": (
                f"那[|{before}]{again}[呢|{after}]？",
                f"[|{before}]{again}[呢|{after}]？",
                f"[|{before}]{again}[|{after}]？",
                f"[还有|{before}]{again}[呢|{after}]？",
            ),
        },
        whole=(f"{before}{again}{after}？", "明白了，谢谢", "好的，我再考虑一下"),
    )


def swap(question: str, answers: tuple[str, ...], *turns: str, may: bool = False, whole: tuple[str, ...] = ()) -> Scene:
    """A question that comes back with one of its parts swapped: a turn is written "before|what is said|after"."""
    frames: list[str] = []
    wholes: list[str] = []
    for turn in turns:
        if "[" in turn:
            frames.append(turn)
            continue
        before, said, after = turn.split("|")
        frames += (
            f"那[|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[呢|{after}]",
            f"好的，那[|{before}]{said}[呢|{after}]？",
            f"[要是|{before}]{said}[呢|{after}]？",
            f"[换成|{before}]{said}[呢|{after}]？",
            f"[|{before}]{said}[|{after}]？",
        )
        if may:
            frames += (
                f"那[|{before}]{said}[行吗|{after}]？",
                f"[|{before}]{said}[可以吗|{after}]？",
                f"那[|{before}]{said}[怎么样|{after}]？",
            )
        wholes += (f"{before}{said}{after}？", f"那{before}{said}{after}？")
    asked = (f"{question}？", f"请问{question}？", f"我想问一下{question}")
    return Scene(
        openings=_answered(asked, answers),
        frames={"substitution": tuple(frames)},
        whole=(*wholes, *whole),
    )


def order(command: str, answers: tuple[str, ...], *turns: str, whole: tuple[str, ...] = ()) -> Scene:
    """A command that comes back with one of its parts swapped, written as for `swap`."""
    frames: list[str] = []
    wholes: list[str] = []
    for turn in turns:
        before, said, after = turn.split("|")
        frames += (
            f"[|{before}]{said}[呢|{after}]",
            f"[那|{before}]{said}[呢|{after}]",
            f"[还有|{before}]{said}[|{after}]",
            f"[换成|{before}]{said}[|{after}]",
            f"[不对，|{before}]{said}[|{after}]",
            f"[我是说|{before}]{said}[|{after}]",
            f"[|{before}]{said}[|{after}]",
        )
        wholes.append(f"{before}{said}{after}")
    asked = (command, f"帮我{command}", f"请{command}")
    return Scene(
        openings=_answered(asked, answers),
        frames={"substituted command": tuple(frames)},
        whole=(*wholes, *whole),
        leads_to="small talk",
    )


def denied(subject: str, asked: str, denial: str, *answers: str) -> Scene:
    """A question answered with no, and 为什么 after it: the denial completes it. # in an answer stands for it."""
    return Scene(
        openings=tuple((f"{subject}{asked}？", answer.replace("#", denial)) for answer in answers),
        frames={
            "why not": (
                f"[|{subject}]为什么[|{denial}]？",
                f"[|{subject}]为什么[|{denial}]",
                f"[|{subject}]为啥[|{denial}]？",
                f"啊？[|{subject}]为什么[|{denial}]？",
                f"[|{subject}]为何[|{denial}]？",
                f"哦，[|{subject}]为什么[|{denial}]呢？",
                f"[|{subject}]为什么[这样|{denial}]？",
            ),
        },
        whole=(f"{subject}为什么{denial}？", "那我再想想", "太可惜了", "好吧，我知道了"),
    )


def asked_for(openings: tuple[tuple[str, ...], ...], *frames: str, whole: tuple[str, ...] = ()) -> Scene:
    """A question of the assistant, answered by the last turn."""
    return Scene(openings=openings, frames={"slot answer": frames}, whole=whole)


def device(*openings: tuple[str, ...], whole: tuple[str, ...]) -> Scene:
    """A command that is done; what follows needs nothing."""
    return Scene(openings=openings, frames={}, whole=whole, leads_to="small talk")


TRAVEL: Final = (
    swap(
        "从{town}到{town2}{ride}要多久",
        ("大约三个小时。", "{ride}大概要两个半小时。", "差不多四小时吧。"),
        "从{town}|到{town3}|{ride}要多久",
        "|从{town3}|到{town2}{ride}要多久",
        "从{town}到{town2}|{ride2}|要多久",
        whole=("{town}有机场吗？",),
    ),
    swap(
        "从{town}到{town2}多远",
        ("大约{km}公里。", "{km}公里左右。"),
        "从{town}|到{town3}|多远",
        "|从{town3}|到{town2}多远",
        "从{town}到|{town3}|多远",
        "从{town}到|{sight}|多远",
    ),
    swap(
        "{date}{town}会下雨吗",
        ("不会，{date}是晴天。", "有小雨，记得带伞。", "可能有阵雨。"),
        "|{date2}|{town}会下雨吗",
        "{date}|{town2}|会下雨吗",
        "[|{date}]{town2}[怎么样|会下雨吗]？",
    ),
    swap(
        "{town}{date}最高气温多少度",
        ("最高{degree}。", "预计{degree}。"),
        "|{town2}|{date}最高气温多少度",
        "{town}|{date2}|最高气温多少度",
        "[|{town}{date}]最低[呢|气温多少度]？",
        "那[|{town}{date}]最低[呢|气温多少度]？",
    ),
    swap(
        "{date}去{town}的高铁还有票吗",
        ("还有少量二等座。", "没有了，都卖完了。", "有的，{hour}那趟还有票。"),
        "|{date2}|去{town}的高铁还有票吗",
        "{date}|去{town2}|的高铁还有票吗",
        "[|{date}去{town}的]飞机[呢|还有票吗]？",
        "那[|{date}去{town}的]飞机[呢|还有票吗]？",
        whole=("学生票怎么买？", "火车票可以提前几天买？"),
    ),
    swap(
        "{sight}门票{festival}打折吗",
        ("{festival}不打折。", "打八折。", "暂时没有优惠。"),
        "{sight}门票|{festival2}|打折吗",
        "|{sight2}|门票{festival}打折吗",
        "[|{sight}门票]学生[呢|打折吗]？",
        "[|{sight}门票]老人[呢|打折吗]？",
    ),
    swap(
        "在{town}{stay}大概要花多少钱",
        ("大概{km}元。", "{km}元就够了。"),
        "在{town}|{stay2}|大概要花多少钱",
        "在|{town2}|{stay}大概要花多少钱",
        "|在{town2}|{stay}大概要花多少钱",
    ),
    swap(
        "持中国护照去{nation}要办签证吗",
        ("需要提前办签证。", "要的，可以办电子签。", "短期旅游可以免签。"),
        "持中国护照去|{nation2}|要办签证吗",
        "持中国护照|去{nation2}|要办签证吗",
        whole=("护照过期了怎么换？", "签证要提前多久办？"),
    ),
    swap(
        "{hour}坐地铁从{spot}到{spot2}挤不挤",
        ("挺挤的。", "还好，不算挤。"),
        "|{hour2}|坐地铁从{spot}到{spot2}挤不挤",
        "{hour}坐地铁从{spot}|到{spot3}|挤不挤",
        "{hour}坐地铁|从{spot3}|到{spot2}挤不挤",
        "[|{hour}]坐公交[呢|从{spot}到{spot2}挤不挤]？",
    ),
    swap(
        "{spot}附近有{place_kind}吗",
        ("有，离{spot}500米。", "没找到。", "附近有两家。"),
        "{spot}附近有|{place_kind2}|吗",
        "|{spot2}|附近有{place_kind}吗",
        "|{spot2}附近|有{place_kind}吗",
    ),
    Scene(
        openings=(
            ("推荐一下{town}的{diner.kind}", "可以试试{diner}，口碑不错。"),
            ("{town}有什么好的{diner.kind}？", "{diner}不错，离{spot}很近。"),
        ),
        frames={
            "besides": (
                "[|{town}]还有别的[|{diner.kind}]吗？",
                "[|{town}]还有其他[的|{diner.kind}]吗？",
                "[|{town}]还有[|{diner.kind}]吗？",
                "换一个[|{town}的{diner.kind}]",
                "[|{town}]其他的[|{diner.kind}]呢？",
                "再推荐一家[|{town}的{diner.kind}]",
                "[|{town}]有没有便宜一点的[|{diner.kind}]？",
            ),
            "answer": (
                "[这家|{diner}]人均多少？",
                "[它|{diner}]几点打烊？",
                "[那个地方|{diner}]好停车吗？",
                "[|{diner}]要排队吗？",
            ),
        },
        whole=("{diner}人均多少？", "{town}的{diner.kind}哪家最有名？", "我不太能吃辣", "我自己去看看吧"),
    ),
    Scene(
        openings=(
            ("{sight}在哪里？", "{sight}在{sight.town}。"),
            ("{sight}是哪个城市的？", "是{sight.town}的。"),
        ),
        frames={
            "answer": (
                "[那个地方|{sight.town}]冬天冷吗？",
                "[那里|{sight.town}]有机场吗？",
                "怎么去[那儿|{sight.town}]？",
            ),
            "fragment": (
                "[|{sight}]门票多少钱？",
                "[|{sight}]几点开门",
                "[|{sight}]要玩多久？",
                "[|{sight}]值得去吗？",
                "[|{sight}]什么时候去最好？",
                "[|{sight}]需要预约吗？",
            ),
        },
        whole=("{sight}门票多少钱？", "{sight.town}有什么特产？", "我小时候去过{sight}", "好想出去玩啊"),
    ),
    Scene(
        openings=(
            ("{sight.town}有什么好玩的景点？", "可以去{sight}看看。"),
            ("{sight.town}有哪些好玩的景点", "{sight}很受欢迎。"),
        ),
        frames={
            "besides": (
                "[|{sight.town}]还有别的[|景点]吗？",
                "[|{sight.town}]还有[|好玩的景点]吗？",
                "[|{sight.town}]还有其他的[|景点]吗？",
                "[|{sight.town}]还有什么[|好玩的景点]？",
                "[|{sight.town}有]别的[呢|景点吗]？",
                "除了[这个|{sight}][|{sight.town}]还有什么[|好玩的景点]？",
            ),
        },
        whole=("{sight.town}除了{sight}还有什么景点？", "{sight.town}和{town2}哪个更好玩？", "我已经去过{sight}了"),
    ),
)

SHOP: Final = (
    swap(
        "{clothes}的{colour}{size}还有货吗",
        ("有货的。", "{size}卖完了。", "{colour}{size}暂时缺货。"),
        "{clothes}的|{colour2}|{size}还有货吗",
        "{clothes}的{colour}|{size2}|还有货吗",
        "|{clothes2}|的{colour}{size}还有货吗",
        "{clothes}的|{colour2}{size2}|还有货吗",
        may=True,
    ),
    swap(
        "{machine}{colour}的多少钱",
        ("{machine.price}。", "{colour}的{machine.price}。"),
        "{machine}|{colour2}的|多少钱",
        "|{machine2}|{colour}的多少钱",
        "|{machine2}|{colour}的多少钱",
    ),
    swap(
        "iPhone 16 {storage}{colour}多少钱",
        ("{storage}的5999元。", "现在6499元。"),
        "iPhone 16 |{storage2}|{colour}多少钱",
        "iPhone 16 {storage}|{colour2}|多少钱",
        "|iPhone 16 Pro| {storage}{colour}多少钱",
    ),
    swap(
        "{date}下单{date2}能收到{machine}吗",
        ("{date2}到不了。", "可以的，{date2}能送到。"),
        "{date}下单|{date3}|能收到{machine}吗",
        "|{date3}下单|{date2}能收到{machine}吗",
        "{date}下单{date2}能收到|{machine2}|吗",
        may=True,
    ),
    swap(
        "寄{cost}斤的包裹到{town}用{carrier}要多少钱",
        ("大概{cost2}元。", "首重12元，续重2元。"),
        "寄{cost}斤的包裹到{town}用|{carrier2}|要多少钱",
        "寄{cost}斤的包裹到|{town2}|用{carrier}要多少钱",
        "寄{cost}斤的包裹|到{town2}|用{carrier}要多少钱",
        "寄|{cost3}斤的|包裹到{town}用{carrier}要多少钱",
    ),
    swap(
        "买{number}件{clothes}有优惠吗",
        ("满三件打九折。", "{number}件没有优惠。"),
        "买|{number2}件|{clothes}有优惠吗",
        "买{number}件|{clothes2}|有优惠吗",
        "|买{number2}件|{clothes}有优惠吗",
    ),
    swap(
        "{clothes}穿过一次能退货吗",
        ("穿过的不能退。", "影响二次销售的话不能退货。"),
        "|{clothes2}|穿过一次能退货吗",
        "[|{clothes}]洗过一次[呢|能退货吗]？",
        "那[|{clothes}]洗过一次[呢|能退货吗]？",
        "[|{clothes}]剪了吊牌[呢|能退货吗]？",
        "[|{clothes}]没拆封[呢|能退货吗]？",
        "那[|{clothes}]没穿过[呢|能退货吗]？",
        may=True,
    ),
    swap(
        "送货上门到{spot}要加运费吗",
        ("{spot}免运费。", "要加十块。"),
        "送货上门到|{spot2}|要加运费吗",
        "送货上门|到{spot2}|要加运费吗",
        whole=("送货师傅会提前打电话吗？", "贵公司的仓库在哪里？"),
    ),
    Scene(
        openings=(
            ("我想给{kin}买个礼物", "好的，{machine}最近很受欢迎。"),
            ("{kin}生日，想送一台{machine}", "{machine}很适合送人。"),
        ),
        frames={
            "fragment": (
                "[|{machine}]多少钱？",
                "[|{machine}]多少钱",
                "[|{machine}]有什么颜色？",
                "[|{machine}]什么时候能到？",
                "[|{machine}]保修多久？",
                "[|{machine}]在哪买？",
            ),
            "answer": (
                "[它|{machine}]难操作吗？",
                "[这款|{machine}]有{colour}的吗？",
                "就买[这个|{machine}]吧",
                "我怕[{kin.he}|{kin}]不会用",
                "[{kin.he}|{kin}]会喜欢[它|{machine}]吗？",
            ),
        },
        whole=("你们可以写贺卡吗？", "{kin}不喜欢{colour}", "{kin}说{kin.he}什么都不缺"),
    ),
    Scene(
        openings=(
            ("{machine}有什么特点？", "{machine}最大的特点是{machine.feature}。"),
            ("{machine}怎么样？", "不错，最大的特点是{machine.feature}，售价{machine.price}。"),
            ("{machine}支持{machine.feature}吗", "支持，{machine.feature}是它的一大特点。"),
        ),
        frames={
            "device not feature": (
                "[它|{machine}]有{colour}的吗？",
                "[它|{machine}]重吗？",
                "[它|{machine}]保修几年？",
                "[它|{machine}]什么时候上市的？",
                "[它|{machine}]现在打几折？",
                "我想试试[它|{machine}]",
                "哪里能买到[它|{machine}]？",
                "[这款|{machine}]充一次电用多久？",
                "[这个产品|{machine}]能退吗？",
                "[它|{machine}]比{machine2}贵吗？",
            ),
            "besides": (
                "[|{machine}]还有别的[|特点]吗？",
                "[|{machine}]还有其他的[|特点]吗？",
                "除了[这个|{machine.feature}][|，{machine}]还支持什么？",
            ),
        },
        whole=(
            "{machine}和{machine2}哪个值得买？",
            "{machine.feature}有什么用？",
            "{machine}坏了，它能修吗？",
            "太贵了",
        ),
    ),
    Scene(
        openings=(
            ("我的包裹走到哪儿了？", "您的{clothes}由{carrier}配送，已到{town}。"),
            ("我买的{clothes}发货了吗", "发货了，走的是{carrier}。"),
        ),
        frames={
            "fragment": (
                "[|{clothes}]什么时候能到？",
                "[|{clothes}]还要几天到？",
                "[|{clothes}]什么时候发的货？",
                "[|{carrier}]电话多少？",
            ),
            "answer": (
                "[他们|{carrier}]的电话是多少？",
                "[这家快递|{carrier}]靠谱吗？",
                "[它|{clothes}]能改地址吗？",
            ),
        },
        whole=("快递能放驿站吗？", "你们的发货仓在哪？", "我不在家，请放门口", "你们发货用{carrier2}吗？"),
    ),
    Scene(
        openings=(
            ("我要退{clothes}", "好的，请问退货的原因是什么？"),
            ("{clothes}可以退吗", "可以的，请说明退货原因。"),
        ),
        frames={
            "slot answer": (
                "[|{clothes}]尺码不合适",
                "[|{clothes}]有色差",
                "[|{clothes}]质量太差",
                "[|{clothes}]买大了",
                "[|{clothes}]破了个洞",
            ),
            "fragment": (
                "[|{clothes}]退款要多久？",
                "[|{clothes}]运费谁付？",
                "[|{clothes}]寄到哪里？",
                "怎么退[|{clothes}]？",
            ),
        },
        whole=("你们的退货地址是什么？", "你们的退货政策是怎样的？", "我要找人工客服", "贵店的售后电话是多少？"),
    ),
    denied("{clothes}", "有{colour}的吗", "没有{colour}的", "#。", "抱歉，#，只有{colour2}。"),
    denied("{machine}", "支持货到付款吗", "不支持货到付款", "#。", "抱歉，#。", "暂时#。"),
    denied("{carrier}", "送到{town}吗", "不送到{town}", "#。", "很抱歉，#。"),
    denied("订单{order}", "能取消吗", "不能取消", "#。", "抱歉，订单{order}#。"),
    denied("{bank}的信用卡", "能用吗", "不能用", "这里#。", "抱歉，#。"),
    denied("优惠券和会员折扣", "能一起用吗", "不能一起用", "#。", "抱歉，#。"),
)

ASSISTANT: Final = (
    order(
        "把{lamp}的灯调到{percent}",
        ("好的，已调到{percent}。", "{lamp}的灯已调到{percent}。"),
        "把|{lamp2}|的灯调到{percent}",
        "把{lamp}的灯调到|{percent2}|",
        "把{lamp}的灯|调到{percent2}|",
        "把|{lamp2}的灯|调到{percent}",
    ),
    order(
        "把{lamp}的{home_device}打开",
        ("好的，已打开。", "{lamp}的{home_device}打开了。"),
        "把|{lamp2}|的{home_device}打开",
        "把{lamp}的|{home_device2}|打开",
    ),
    order(
        "把空调温度设成{degree}",
        ("好的，空调已设成{degree}。",),
        "把空调温度设成|{degree2}|",
        "把|地暖|温度设成{degree}",
        "把|热水器|温度设成{degree}",
    ),
    order(
        "设一个{date}{hour}的闹钟",
        ("好的，{date}{hour}的闹钟已设好。", "闹钟设好了。"),
        "设一个{date}|{hour2}|的闹钟",
        "设一个|{date2}|{hour}的闹钟",
    ),
    order(
        "{hour}提醒我{chore}",
        ("好的，{hour}提醒您{chore}。", "没问题，已添加提醒。"),
        "|{hour2}|提醒我{chore}",
        "{hour}提醒我|{chore2}|",
    ),
    order(
        "在{chat_app}上给{friend}发消息说我{date}请假",
        ("已发送。", "好的，已经在{chat_app}上告诉{friend}了。"),
        "在{chat_app}上给|{friend2}|发消息说我{date}请假",
        "在|{chat_app2}|上给{friend}发消息说我{date}请假",
        "|在{chat_app2}上|给{friend}发消息说我{date}请假",
        "在{chat_app}上给{friend}发消息说我|{date2}|请假",
    ),
    order(
        "放{minutes}的{podcast}",
        ("好的，正在播放{podcast}。", "{podcast}开始了，{minutes}后停止。"),
        "放|{minutes2}|的{podcast}",
        "放{minutes}的|{podcast2}|",
    ),
    order(
        "订{date}去{town}的机票",
        ("好的，{date}去{town}的机票有三班。", "请稍等，正在查询。"),
        "订|{date2}|去{town}的机票",
        "订{date}|去{town2}|的机票",
        whole=("我的座位要靠窗", "行李能带多少公斤？"),
    ),
    order(
        "卸载{system}上的{latin_app}",
        ("{latin_app}已卸载。", "好的，正在卸载。"),
        "卸载{system}上的|{latin_app2}|",
        "卸载|{system2}|上的{latin_app}",
    ),
    order(
        "点一杯{drink}，三分糖",
        ("好的，{drink}已下单。", "已为您点好{drink}。"),
        "点一杯|{drink2}|，三分糖",
        "点|两杯|{drink}，三分糖",
        "点一杯{drink}，|无糖|",
        "点一杯{drink}，|全糖|",
    ),
    order(
        "给{lamp}的扫地机器人定时{hour}打扫",
        ("好的，已定时{hour}。",),
        "给{lamp}的扫地机器人定时|{hour2}|打扫",
        "给|{lamp2}|的扫地机器人定时{hour}打扫",
    ),
    Scene(
        openings=(
            ("给我放首歌", "好的，正在播放{hit}。"),
            ("来一首{hit.singer}的歌", "好的，为您播放{hit}。"),
        ),
        frames={
            "besides": ("换一首[|歌]", "还有别的[|歌]吗？", "再来一首[|歌]", "换一[个|首歌]"),
            "answer": (
                "[这首|{hit}]是哪年的歌？",
                "收藏[它|{hit}]",
                "单曲循环[|{hit}]",
                "[它|{hit}]有现场版吗？",
            ),
        },
        whole=("谢谢，很好听", "把音量调到{percent}", "我最喜欢{hit.singer}了", "关掉音乐，晚安", "播放{hit2}"),
        leads_to="small talk",
    ),
    device(
        ("关灯", "好的，灯已关闭。"),
        ("把灯都关了", "所有的灯都关了。"),
        ("关掉{lamp}的灯", "好的，{lamp}的灯关了。"),
        ("睡前模式", "睡前模式已开启。"),
        ("拉上窗帘", "窗帘已拉上。"),
        ("十分钟后关灯", "好的，十分钟后关灯。"),
        whole=(
            "晚安",
            "晚安，明天见",
            "好的，我睡了",
            "辛苦了，早点休息",
            "谢谢，晚安",
            "那我先睡啦",
            "做个好梦哦",
            "你也早点休息吧",
        ),
    ),
    device(
        ("明早七点叫我", "好的，七点的闹钟已设好。"),
        ("设个{hour}的闹钟", "好的，{hour}叫您。"),
        ("取消{hour}的闹钟", "{hour}的闹钟已取消。"),
        ("{date}{hour}叫醒我", "没问题，到时候叫您。"),
        whole=(
            "谢谢，晚安",
            "好的，谢谢",
            "拜托了",
            "明早见",
            "辛苦你了",
            "千万别忘了哦",
            "晚安小助手",
            "我去睡觉了",
            "真靠谱",
        ),
    ),
    device(
        ("放点{podcast}", "好的，正在播放{podcast}。"),
        ("把音乐停了", "已停止播放。"),
        ("声音调到{percent}", "音量已调到{percent}。"),
        ("放一首{hit}", "正在播放{hit}。"),
        whole=(
            "真好听",
            "谢谢你",
            "好的，拜拜",
            "太吵了",
            "不听了，我出门了",
            "我要睡觉了，晚安",
            "这下舒服多了",
            "辛苦啦",
        ),
    ),
    device(
        ("打开{home_device}", "{home_device}已打开。"),
        ("把{home_device}关掉", "好的，{home_device}关了。"),
        ("把空调调到{degree}", "已调到{degree}。"),
        ("开启离家模式", "离家模式已开启，路上小心。"),
        ("锁门", "大门已锁好。"),
        whole=(
            "我出门了，再见",
            "谢谢",
            "好嘞",
            "拜拜，晚上见",
            "我上班去了",
            "今天真热啊",
            "终于凉快了",
            "真棒",
            "没别的事了",
            "多谢多谢",
        ),
    ),
    device(
        ("导航到{spot}", "开始导航，全程{cost}公里。"),
        ("给{friend}打电话", "正在呼叫{friend}。"),
        ("给{friend}发微信说我到家了", "好的，消息已发送。"),
        ("{hour}提醒我{chore}", "好的，到时提醒您。"),
        ("帮我记一下{chore}", "已记下。"),
        whole=(
            "好的，谢谢啊",
            "出发咯",
            "谢谢，没事了",
            "辛苦了",
            "再见",
            "今天就到这里吧",
            "太好了",
            "不客气",
            "有你真好",
            "我先忙了",
        ),
    ),
)

NUMBERS: Final = (
    swap(
        "{figure}{unit}等于多少{unit.into}",
        ("我来算一下。", "您稍等，正在换算。", "大约是{figure2}{unit.into}。"),
        "|{figure3}{unit}|等于多少{unit.into}",
        "|{figure3}|{unit}等于多少{unit.into}",
    ),
    swap(
        "{sum}能换多少{foreign}",
        ("按今天的汇率正在计算。", "请稍等。"),
        "|{sum2}|能换多少{foreign}",
        "{sum}能换多少|{foreign2}|",
        "{sum}|能换多少{foreign2}|",
    ),
    swap(
        "{sum}存{bank}{term}利息多少",
        ("大概{figure}元。", "按现在的利率是{figure}元。"),
        "|{sum2}|存{bank}{term}利息多少",
        "{sum}|存{bank2}|{term}利息多少",
        "{sum}存{bank}|{term2}|利息多少",
        "{sum}存|{bank2}|{term}利息多少",
    ),
    swap(
        "{figure}的{percent}是多少",
        ("我算一下。", "稍等。"),
        "|{figure2}|的{percent}是多少",
        "{figure}的|{percent2}|是多少",
    ),
    swap(
        "{term}期贷款{sum}每月还多少",
        ("大约{figure}元。", "每月{figure}元左右。"),
        "|{term2}|期贷款{sum}每月还多少",
        "{term}期贷款|{sum2}|每月还多少",
        "|{term2}期|贷款{sum}每月还多少",
    ),
    swap(
        "一杯{drink}有多少卡路里",
        ("大约{km}大卡。", "{km}大卡左右。"),
        "一杯|{drink2}|有多少卡路里",
        "|两杯|{drink}有多少卡路里",
        "|一瓶|{drink}有多少卡路里",
        "[|一杯{drink}]有多少糖？",
    ),
    swap(
        "跑步{minutes}能消耗多少卡路里",
        ("大约{km}大卡。", "{km}大卡左右。"),
        "跑步|{minutes2}|能消耗多少卡路里",
        "|游泳|{minutes}能消耗多少卡路里",
        "|跳绳|{minutes}能消耗多少卡路里",
        "|骑车|{minutes}能消耗多少卡路里",
    ),
    swap(
        "100克{fruit}含多少糖",
        ("大约{cost}克。", "{fruit}每100克含糖{cost}克。"),
        "100克|{fruit2}|含多少糖",
        "|200克|{fruit}含多少糖",
        "[|100克{fruit}]含多少维生素",
        whole=("糖尿病人能吃{fruit}吗？", "{fruit}是当季水果吗？"),
    ),
    swap(
        "{school}{major}专业去年录取分数线多少",
        ("去年是{score}分左右。", "我帮您查一下。"),
        "|{school2}|{major}专业去年录取分数线多少",
        "{school}|{major2}|专业去年录取分数线多少",
        "{school}{major}专业|前年|录取分数线多少",
        whole=("我今年高三", "高考是几月几号？", "祝我好运吧"),
    ),
    swap(
        "{planet}到太阳有多远",
        ("非常远，超过一亿公里。", "我查一下。"),
        "|{planet2}|到太阳有多远",
        "[|{planet}]到{planet3}[呢|有多远]？",
        "那[|{planet}]到地球[呢|有多远]？",
        "[|{planet}到]地球[呢|有多远]？",
    ),
    swap(
        "{area}平米的房子在{town}租一个月多少钱",
        ("大概{sum}。", "{sum}左右。"),
        "|{area2}平米|的房子在{town}租一个月多少钱",
        "{area}平米的房子|在{town2}|租一个月多少钱",
        "{area}平米的房子在|{town2}|租一个月多少钱",
        "[|{area}平米的房子在{town}]租一年[呢|多少钱]？",
    ),
)

CODE: Final = (
    swap(
        "用{code}怎么{task}",
        ("可以用标准库里的函数。", "示例代码如下。", "有现成的库可以用。"),
        "用|{code2}|怎么{task}",
        "|用{code2}|怎么{task}",
        "用{code}怎么|{task2}|",
        whole=("{code}好学吗？", "我是编程新手", "代码跑通了，谢谢", "{code}和{code2}哪个更快？"),
    ),
    swap(
        "{latin_app}在{system}上怎么安装",
        ("去官网下载安装包就行。", "应用商店里搜索{latin_app}。"),
        "|{latin_app2}|在{system}上怎么安装",
        "{latin_app}在|{system2}|上怎么安装",
        "{latin_app}|在{system2}上|怎么安装",
        whole=("我的电脑是{system}的", "{latin_app}免费吗？"),
    ),
    swap(
        "{system}怎么截屏",
        ("同时按住两个键。", "按快捷键就可以。"),
        "|{system2}|怎么截屏",
        "[|{system}]怎么录屏",
        "[|{system}怎么]录屏[呢|]？",
        "那[|{system}怎么]录屏[呢|]？",
    ),
    swap(
        "{tool}的{tool.part}怎么删除",
        ("用命令行删除就行。", "在设置页里操作。"),
        "[|{tool}的{tool.part}]怎么新建",
        "[|{tool}的{tool.part}怎么]恢复[呢|]？",
        "那[|{tool}的{tool.part}怎么]修改[呢|]？",
        "[|{tool}的{tool.part}]怎么查看",
        "[要是|{tool}的{tool.part}怎么]改名[呢|]？",
        whole=("{tool}的官方文档在哪？", "我不小心删库了", "{tool}和{tool2}能一起用吗？"),
    ),
    Scene(
        openings=(
            ("{tool}启动不了", "请检查{tool.part}的配置，日志里有什么报错？"),
            ("{tool}的{tool.part}报错了", "建议重启{tool}再试试。"),
            ("{tool}的{tool.part}是什么", "{tool.part}是{tool}里的一个重要概念。"),
        ),
        frames={
            "device not feature": (
                "[它|{tool}]最新版本是多少？",
                "怎么重启[它|{tool}]？",
                "[它|{tool}]支持{system}吗？",
                "怎么重装[它|{tool}]？",
                "把[它|{tool}]升级到最新版",
                "[这个工具|{tool}]收费吗？",
            ),
            "fragment": (
                "[|{tool}]怎么重启？",
                "[|{tool}]日志在哪？",
                "[|{tool}]最新版是多少",
            ),
        },
        whole=(
            "报错信息是 permission denied",
            "我重启过电脑了",
            "{tool}怎么重启？",
            "我用的是{system}",
            "搞定了，谢谢大佬",
        ),
    ),
    Scene(
        openings=(
            ("{code}支持{system}吗？", "支持的，{code}可以在{system}上运行。"),
            ("我想学{code}", "{code}很适合入门，{system}上就能装。"),
        ),
        frames={
            "several antecedents": (
                "[这门语言|{code}]是谁发明的？",
                "[这个系统|{system}]要多少内存？",
                "[这门语言|{code}]适合做什么？",
                "[这个系统|{system}]是免费的吗？",
                "学[这门语言|{code}]要多久？",
            ),
            "fragment": (
                "学[|{code}]要多久？",
                "[|{code}]难吗？",
                "[|{code}]哪里可以学？",
                "[|{code}]就业前景怎么样？",
            ),
        },
        whole=("{code}是谁发明的？", "学编程先学什么语言好？", "我数学不好", "有没有免费的编程课？"),
    ),
    denied("{latin_app}", "支持{system}吗", "不支持{system}", "#。", "目前#。", "很遗憾，#。"),
    denied("{tool}", "能在{system}上运行吗", "不能在{system}上运行", "#。", "目前#。"),
    denied("{latin_app}的免费版", "有广告吗", "没有广告", "#。", "{latin_app}的免费版#。"),
)

FAMILY: Final = (
    swap(
        "{kin}{date}过生日送什么好",
        ("可以送{clothes}。", "送{machine}怎么样？"),
        "|{kin2}|{date}过生日送什么好",
        "[|{kin}]{festival}[呢|送什么好]？",
    ),
    swap(
        "{kin}感冒了能吃{herb}吗",
        ("可以，请按说明书服用。", "最好先问医生。", "不建议吃{herb}。"),
        "{kin}感冒了能吃|{herb2}|吗",
        "|{kin2}|感冒了能吃{herb}吗",
        "[|{kin}]发烧了[呢|能吃{herb}吗]？",
        "[|{kin}]咳嗽[呢|能吃{herb}吗]？",
        may=True,
    ),
    swap(
        "{pet}能吃{fruit}吗",
        ("可以少量吃。", "不能，{fruit}对{pet}不好。"),
        "{pet}能吃|{fruit2}|吗",
        "|{pet2}|能吃{fruit}吗",
        "[|{pet}能吃]巧克力[呢|吗]？",
        "那[|{pet}能吃]鸡骨头[呢|吗]？",
        may=True,
    ),
    swap(
        "{plant}放在{lamp}几天浇一次水",
        ("三四天一次。", "一周一次就够了。"),
        "|{plant2}|放在{lamp}几天浇一次水",
        "{plant}|放在{lamp2}|几天浇一次水",
        "{plant}放在|{lamp2}|几天浇一次水",
        "[|{plant}放在{lamp}]几天施一次肥",
    ),
    Scene(
        openings=(
            ("{date}{friend}和{friend2}来家里吃饭", "好的，需要帮您准备菜单吗？"),
            ("{friend}是{friend.job}，{friend2}是{friend2.job}", "听起来都很厉害。"),
            ("我{date}要见{friend}和{friend2}", "好的，已经加到日程里。"),
        ),
        frames={
            "several antecedents": (
                "[{friend.he}|{friend}]不吃辣",
                "[{friend2.he}|{friend2}]不吃香菜",
                "给[{friend2.he}|{friend2}]打个电话",
                "问一下[{friend.he}|{friend}]几点到",
                "[{friend.he}|{friend}]住在{spot}",
                "[{friend2.he}|{friend2}]的生日是几号？",
                "[他们|{friend}和{friend2}]都开车来",
                "提醒[他们|{friend}和{friend2}]带身份证",
                "[两个人|{friend}和{friend2}]都喝酒吗？",
                "告诉[{friend2.he}|{friend2}]别迟到",
            ),
        },
        whole=("{friend}说{friend.he}要晚点来", "家里还有菜吗？", "好久没聚了", "{friend2}不喝酒", "我来做饭吧"),
    ),
    Scene(
        openings=(
            ("{kin}和{kin2}{date}要去{town}", "好的，需要帮忙订票吗？"),
            ("{kin}跟{kin2}吵架了", "别着急，先冷静一下。"),
            ("{kin}给{kin2}买了一台{machine}", "真贴心！"),
        ),
        frames={
            "several antecedents": (
                "[{kin.he}|{kin}]最近压力很大",
                "[{kin2.he}|{kin2}]一直不接电话",
                "我该怎么跟[{kin2.he}|{kin2}]说？",
                "[{kin.he}|{kin}]{date2}要上班",
                "帮我给[{kin2.he}|{kin2}]发个红包",
                "[他们|{kin}和{kin2}]都没吃饭",
                "[{kin2.he}|{kin2}]怕坐飞机",
            ),
        },
        whole=("{kin}说{kin.he}没事了", "家和万事兴", "我夹在中间好难", "{kin2}其实很心疼{kin}"),
    ),
    Scene(
        openings=(
            ("{kin}养了一只{pet}", "{pet}很可爱，叫什么名字？"),
            ("{kin}最近迷上了养{plant}", "{plant}挺好养的。"),
        ),
        frames={
            "several antecedents": (
                "[{kin.he}|{kin}]每天都要拍照",
                "[{kin.he}|{kin}]以前什么都不养",
                "我说不过[{kin.he}|{kin}]",
            ),
        },
        whole=("我也想养一只猫", "动物比人单纯", "{kin}说{kin.he}还想再养一只", "好羡慕"),
    ),
    Scene(
        openings=(
            ("{kin}养了一只{pet}", "好可爱呀。"),
            ("{kin}昨天带{pet}去打疫苗", "打完疫苗要多休息。"),
        ),
        frames={
            "several antecedents": (
                "[它|{pet}]不爱吃东西",
                "[它|{pet}]多久洗一次澡？",
                "[它|{pet}]晚上老叫怎么办？",
                "[{kin.he}|{kin}]对毛有点过敏",
                "[它|{pet}]能吃{fruit}吗？",
            ),
            "fragment": (
                "[|{pet}]几岁了算老？",
                "[|{pet}]多少钱一只？",
                "[|{pet}]能活多久？",
                "[|{pet}]多久洗一次澡？",
            ),
        },
        whole=("{pet}能活多久？", "我们小区不让养大型犬", "好想抱抱", "宠物医院几点关门？"),
    ),
    denied("{kin}", "{date}来吗", "{date}不来", "#。", "听说#。"),
    denied("孕妇", "能吃{herb}吗", "不能吃{herb}", "#。", "孕妇#。", "一般来说#。"),
    denied("{pet}", "能坐高铁吗", "不能坐高铁", "#。", "按规定，#。"),
)

SPORT: Final = (
    swap(
        "{sports_team}{date}几点比赛",
        ("{hour}开球。", "{date}{hour}。"),
        "|{sports_team2}|{date}几点比赛",
        "{sports_team}|{date2}|几点比赛",
        "[|{sports_team}{date}]在哪[|比赛]？",
        whole=("{sports_team}加油！", "又熬夜看球了"),
    ),
    swap(
        "{athlete}{year}年拿过几块金牌",
        ("{year}年拿过{number}块。", "我查一下，{number}块。"),
        "|{athlete2}|{year}年拿过几块金牌",
        "{athlete}|{year2}年|拿过几块金牌",
        "[|{athlete}{year}年拿过几块]银牌[呢|]？",
        "那[|{athlete}{year}年拿过几块]铜牌[呢|]？",
    ),
    Scene(
        openings=(
            ("{athlete}和{athlete2}谁更厉害？", "都很厉害，{athlete}练{athlete.sport}，{athlete2}练{athlete2.sport}。"),
            ("{athlete}昨天采访了{athlete2}吗", "对，{athlete2}来自{athlete2.home}，聊得很开心。"),
            ("{athlete}跟{athlete2}同框了", "是的，照片上了热搜。"),
        ),
        frames={
            "several antecedents": (
                "[{athlete.he}|{athlete}]今年多大？",
                "[{athlete2.he}|{athlete2}]今年多大？",
                "[{athlete2.he}|{athlete2}]的教练是谁？",
                "[{athlete.he}|{athlete}]退役了吗？",
                "[{athlete2.he}|{athlete2}]下一场什么时候？",
                "[他俩|{athlete}和{athlete2}]谁年纪大？",
                "给我看[{athlete.he}|{athlete}]的照片",
                "[{athlete2.he}|{athlete2}]身高多少？",
            ),
        },
        whole=("{athlete}的教练是谁？", "{athlete2}说{athlete2.he}受伤了吗？", "运动员真不容易"),
    ),
    Scene(
        openings=(
            ("{athlete}赢了吗？", "{athlete}没赢。", "太可惜了", "是啊，下次加油。"),
            ("{athlete}赢了吗？", "很遗憾，{athlete}没赢。"),
        ),
        frames={
            "why not": (
                "[|{athlete}]为什么没赢？",
                "[|{athlete}]为什么[|没赢]？",
                "[|{athlete}]怎么[|没赢]？",
            ),
            "fragment": (
                "[|{athlete}]几岁了？",
                "[|{athlete}]什么时候再比？",
                "[|{athlete}]排名第几？",
                "[|{athlete}]输给谁了？",
            ),
        },
        whole=("{athlete}为什么没赢？", "胜败乃兵家常事", "{athlete}永远是冠军", "我都没来得及看直播"),
    ),
    Scene(
        openings=(
            ("{athlete}受伤了吗？", "是的，{athlete}受伤了。"),
            ("听说{athlete}退役了", "是的，{athlete}退役了。"),
        ),
        frames={
            "fragment": (
                "[|{athlete}]几岁了？",
                "[|{athlete}]今年几岁",
                "[|{athlete}]现在在哪？",
                "[|{athlete}]还会回来吗？",
                "[|{athlete}]以后做什么？",
                "[|{athlete}]什么时候宣布的？",
            ),
        },
        whole=("祝{athlete}一切顺利", "青春结束了", "{athlete}说过{athlete.he}想当教练", "有点难过"),
    ),
    Scene(
        openings=(
            ("{sports_team}换教练了吗？", "换了，是上周的事。"),
            ("{sports_team}夺冠了吗？", "还没有，决赛在{date}。"),
        ),
        frames={
            "fragment": (
                "[|{sports_team}]队长是谁？",
                "[|{sports_team}]排第几？",
                "[|{sports_team}]主场在哪？",
                "[|{sports_team}]下一场什么时候？",
            ),
            "answer": (
                "[他们|{sports_team}]的主场在哪？",
                "[这支球队|{sports_team}]成立多久了？",
                "[他们|{sports_team}]有机会出线吗？",
            ),
        },
        whole=("{sports_team}加油", "{sports_team}和{sports_team2}谁赢了？", "我是十年的老球迷了"),
    ),
    denied("{sports_team}", "{date}有比赛吗", "{date}没有比赛", "#。", "{sports_team}#。"),
    denied("{athlete}", "参加{date}的比赛吗", "不参加{date}的比赛", "#。", "{athlete}#。"),
)

PEOPLE: Final = (
    Scene(
        openings=(
            ("{hit}这首歌是谁唱的？", "{hit}是{hit.singer}唱的。"),
            ("{hit}是谁的歌", "{hit.singer}的，收录在{hit.album}里。"),
        ),
        frames={
            "answer": (
                "[{hit.he}|{hit.singer}]还有什么歌？",
                "[{hit.he}|{hit.singer}]今年多大？",
                "[{hit.he}|{hit.singer}]开演唱会吗？",
                "[{hit.he}|{hit.singer}]结婚了吗？",
                "放一首[{hit.he}|{hit.singer}]的歌",
                "[这个歌手|{hit.singer}]是哪里人？",
                "[这首歌|{hit}]是哪年发行的？",
            ),
            "besides": (
                "[|{hit.singer}]还有别的[|歌]吗？",
                "[|{hit.singer}]还唱过什么[|歌]？",
            ),
        },
        whole=("{hit.singer}还有什么歌？", "{hit}的歌词是什么？", "我循环一天了", "好听哭了"),
    ),
    Scene(
        openings=(
            ("{novel}的作者是谁？", "{novel.writer}。"),
            ("谁写了{novel}", "{novel}是{novel.writer}写的，主角叫{novel.hero}。"),
        ),
        frames={
            "answer": (
                "[{novel.he}|{novel.writer}]还写过什么？",
                "[{novel.he}|{novel.writer}]是哪里人？",
                "[{novel.he}|{novel.writer}]得过诺贝尔奖吗？",
                "[这个作家|{novel.writer}]还健在吗？",
                "[这本书|{novel}]有多少字？",
                "[它|{novel}]被拍成电影了吗？",
                "[它|{novel}]适合初中生看吗？",
            ),
            "besides": (
                "[|除了{novel}，{novel.writer}]还写过别的吗？",
                "[|除了{novel}，{novel.writer}]还有其他作品吗？",
            ),
        },
        whole=(
            "{novel}好看吗？",
            "{novel.writer}得过什么奖？",
            "{novel.writer}写{novel}的时候，{novel.he}多大？",
            "我更喜欢看纸质书",
        ),
    ),
    Scene(
        openings=(
            ("{firm}的总部在哪里？", "{firm}的总部在{firm.place}。"),
            ("{firm}总部在哪", "在{firm.place}。"),
            ("{firm}的总部在{firm.place}吗", "是的，就在{firm.place}。"),
        ),
        frames={
            "head noun": (
                "[它|{firm}]是哪年成立的？",
                "[它|{firm}]有多少员工？",
                "[这家公司|{firm}]上市了吗？",
                "[他们|{firm}]现在招人吗？",
                "[它|{firm}]的创始人是谁？",
                "[这家公司|{firm}]待遇怎么样？",
                "[那里|{firm.place}]房价高吗？",
                "[那个地方|{firm.place}]离{town}远吗？",
                "[这个城市|{firm.place}]有多少人口？",
                "[它|{firm}]市值多少？",
            ),
            "fragment": ("[|{firm}]老板是谁？", "[|{firm}]成立多久了？", "[|{firm}]官网是哪个？"),
        },
        whole=(
            "{firm}是哪年成立的？",
            "{firm}和{firm2}哪家工资高？",
            "{firm}把它的总部搬走了吗？",
            "我朋友在{firm.place}上班",
        ),
    ),
    Scene(
        openings=(
            ("{firm}的老板是谁？", "{firm}的老板是{firm.boss}。"),
            ("{firm}的创始人是谁", "{firm.boss}。"),
            ("{firm}最近发布了什么", "{firm.boss}在发布会上介绍了{firm.thing}。"),
        ),
        frames={
            "head noun": (
                "[他|{firm.boss}]多大了？",
                "[他|{firm.boss}]毕业于哪所大学？",
                "[他|{firm.boss}]身价多少？",
                "[这家公司|{firm}]做什么的？",
                "[它|{firm}]的股票能买吗？",
                "[他|{firm.boss}]结婚了吗？",
                "[这家公司|{firm}]在{town}有分部吗？",
            ),
        },
        whole=(
            "{firm.boss}多大了？",
            "{firm.thing}多少钱？",
            "{firm.boss}说过他什么时候退休吗？",
            "我用的就是{firm}的产品",
        ),
    ),
    Scene(
        openings=(
            ("{firm}推出了什么新产品？", "{firm}推出了{firm.thing}。"),
            ("{firm}最火的产品是什么", "应该是{firm.thing}。"),
        ),
        frames={
            "answer": (
                "[它|{firm.thing}]收费吗？",
                "[它|{firm.thing}]好用吗？",
                "[这个|{firm.thing}]国内能买吗？",
                "[它|{firm.thing}]什么时候发布的？",
                "[这家公司|{firm}]靠谱吗？",
            ),
            "besides": (
                "[|{firm}]还有别的[|产品]吗？",
                "[|{firm}]还有其他的[|产品]吗？",
            ),
        },
        whole=("{firm.thing}多少钱？", "{firm}的产品质量怎么样？", "我没听说过{firm.thing}", "科技发展真快"),
    ),
)

FOOD: Final = (
    swap(
        "{eatery}{date}{hour}还营业吗",
        ("{hour}还开着。", "{date}{hour}已经打烊了。"),
        "|{eatery2}|{date}{hour}还营业吗",
        "{eatery}{date}|{hour2}|还营业吗",
        "{eatery}|{date2}|{hour}还营业吗",
    ),
    swap(
        "{dish}在冰箱里能放几天",
        ("最多两天。", "建议当天吃完。"),
        "|{dish2}|在冰箱里能放几天",
        "|{fruit}|在冰箱里能放几天",
        "[|{dish}]在室温下[呢|能放几天]？",
        "[|{dish}在]冷冻室[呢|里能放几天]？",
    ),
    swap(
        "一份{dish}要煮多久",
        ("{length}左右。", "大火煮二十分钟。"),
        "一份|{dish2}|要煮多久",
        "|两份|{dish}要煮多久",
        "[|一份{dish}要]蒸[呢|多久]？",
    ),
    swap(
        "{eatery}的{drink}大杯多少钱",
        ("大杯{cost}元。", "{drink}大杯{cost}块。"),
        "|{eatery2}|的{drink}大杯多少钱",
        "{eatery}的|{drink2}|大杯多少钱",
        "{eatery}的{drink}|中杯|多少钱",
        "|{eatery2}的|{drink}大杯多少钱",
    ),
    swap(
        "{eatery}{spot}店能外送到{spot2}吗",
        ("超出配送范围了。", "可以的，大概四十分钟。"),
        "|{eatery2}|{spot}店能外送到{spot2}吗",
        "{eatery}{spot}店能外送|到{spot3}|吗",
        "{eatery}|{spot3}店|能外送到{spot2}吗",
        may=True,
    ),
    Scene(
        openings=(
            ("今晚吃什么好？", "要不试试{dish}？"),
            ("推荐一道家常菜", "{dish}怎么样？"),
        ),
        frames={
            "besides": ("除了[这个|{dish}]还有什么？", "不想吃[这个|{dish}]"),
            "fragment": (
                "[|{dish}]怎么做？",
                "[|{dish}]要多久？",
                "[|{dish}]难吗？",
                "[|{dish}]热量高吗",
                "[|{dish}]要放什么调料？",
                "[|{dish}]是哪里的菜？",
            ),
        },
        whole=("{dish}怎么做？", "我想吃{dish2}", "冰箱里只有鸡蛋了", "今天不想做饭", "听起来就好吃"),
    ),
    denied("{eatery}", "{date}营业吗", "{date}不营业", "#。", "抱歉，{eatery}#。"),
    denied("{eatery}", "可以带宠物吗", "不可以带宠物", "#。", "{eatery}#。", "很抱歉，#。"),
    denied("{dish}", "能用微波炉热吗", "不能用微波炉热", "#。", "{dish}#。"),
    denied("{drink}", "能做热的吗", "不能做热的", "#。", "抱歉，{drink}#。"),
)

SLOTS: Final = (
    asked_for(
        (
            ("我想买个{thing}", "请问您的预算是多少？"),
            ("推荐一款{thing}", "好的，您的预算大概多少？"),
            ("帮我选个{thing}", "没问题，预算多少呢？"),
        ),
        "[|预算]{budget}",
        "[|预算]{budget}吧",
        "嗯，[|预算]{budget}",
        "[|预算]大概{budget}",
        whole=("我还没想好", "预算{budget}", "越便宜越好", "你们有哪些牌子？", "我先自己看看"),
    ),
    asked_for(
        (
            ("我想买个{thing}", "好的，您主要用来做什么？"),
            ("有没有好用的{thing}", "您买{thing}主要用来做什么？"),
        ),
        "[|{thing}主要用来]办公",
        "[|{thing}主要用来]送人",
        "[|{thing}主要用来]学习",
        "[|{thing}主要用来]拍视频",
        "[|{thing}主要]给老人用",
        whole=("随便看看", "我先考虑一下", "{thing}哪个牌子好？"),
    ),
    asked_for(
        (
            ("我想在{eatery}订位", "请问几位用餐？"),
            ("帮我订{eatery}的位子", "好的，请问几位用餐？"),
        ),
        "{head_count}[|用餐]",
        "{head_count}[|用餐]。",
        "就{head_count}[|用餐]",
        "一共{head_count}[|用餐]",
        whole=("我再确认一下人数", "{head_count}用餐，要包间", "算了，不去了", "你们有儿童椅吗？"),
    ),
    asked_for(
        (
            ("帮我订去{town}的机票", "请问您要哪天的机票？"),
            ("我要买去{town}的机票", "好的，要哪天的机票？"),
        ),
        "{date}[|的机票]",
        "{date}{hour}[|的机票]",
        "要{date}的[|机票]",
        "{date}[|的机票]吧",
        whole=("我还没定日期", "越早越好", "我的身份证过期了", "{date}去{town}的机票"),
    ),
    asked_for(
        (
            ("我要买{clothes}", "请问要什么尺码的{clothes}？"),
            ("这里有{clothes}吗", "有的，您要什么尺码的{clothes}？"),
        ),
        "{size}[|的{clothes}]",
        "{size}的[|{clothes}]",
        "要{size}的[|{clothes}]",
        "来件{size}的[|{clothes}]",
        whole=("我不知道自己穿多大", "我身高一米七", "你们的尺码表在哪？"),
    ),
    asked_for(
        (
            ("来一件{clothes}", "请问您喜欢什么颜色的{clothes}？"),
            ("{clothes}有现货吗", "有的，您要什么颜色的{clothes}？"),
        ),
        "{colour}[|的{clothes}]",
        "{colour}的[|{clothes}]",
        "要{colour}的[|{clothes}]",
        "{colour}[|的{clothes}]吧",
        "我喜欢{colour}的[|{clothes}]",
        whole=("颜色都行", "黑色显瘦", "我再看看"),
    ),
    asked_for(
        (
            ("我要挂号", "请问您要挂哪个科？"),
            ("我要预约挂号", "好的，请问挂哪个科？"),
        ),
        "[|挂]皮肤科",
        "[|挂]眼科",
        "[|挂]口腔科",
        "[|挂]骨科",
        "[|挂]儿科",
        "[|挂]消化内科",
        "[|挂]呼吸科",
        whole=("我头疼三天了", "医院几点上班？", "可以用医保吗？"),
    ),
    asked_for(
        (
            ("我要预约洗牙", "请问您什么时间方便洗牙？"),
            ("预约洗牙", "好的，您想什么时间洗牙？"),
        ),
        "{date}{hour}[|洗牙]",
        "{date}[|洗牙]",
        "{date}{hour}[|洗牙]吧",
        "要不{date}[|洗牙]？",
        whole=("洗牙疼不疼？", "我看一下日程", "你们诊所在几楼？"),
    ),
    asked_for(
        (
            ("给我点杯喝的", "好的，{eatery}可以吗？想喝什么？"),
            ("帮我点一杯奶茶", "好的，要几分糖？", "三分糖", "好的，您想喝什么？"),
        ),
        "[|想喝]{drink}",
        "[|想喝]{drink}吧",
        "[|想喝]一杯{drink}",
        whole=("我减肥，不喝甜的", "谢谢，不用了"),
    ),
    asked_for(
        (
            ("帮我叫个车", "好的，请问目的地是哪里？"),
            ("打车", "请问您的目的地是哪里？"),
        ),
        "[|目的地是]{spot}",
        "[|目的地是]{eatery}",
        "[|目的地]{spot}",
        whole=("我在{spot}等你", "算了，我坐地铁", "师傅还有多久到？"),
    ),
    asked_for(
        (
            ("我想报名{subject}课", "请问孩子几岁了？"),
            ("有{subject}班吗", "有的，孩子几岁了？"),
        ),
        "[|孩子]八岁",
        "[|孩子]快六岁了",
        "[|孩子]十二岁",
        "[|孩子]刚满四岁",
        "[|孩子]七岁半",
        "[|孩子]上三年级",
        whole=("我自己学的", "{subject}课多少钱？"),
    ),
    asked_for(
        (
            ("我要订酒店", "请问您住几晚？", "两晚", "好的，要什么房型？"),
            ("{town}的酒店帮我订一间", "好的，请问要什么房型？"),
        ),
        "[|房型要]大床房",
        "[|房型要]双床房",
        "[|房型要]家庭房",
        "[|房型要]海景房",
        whole=("都可以，干净就行", "你们的退房时间是几点？"),
    ),
    asked_for(
        (
            ("我要开发票", "请问发票抬头是什么？"),
            ("能开发票吗", "可以的，请提供发票抬头。"),
        ),
        "[|发票抬头]{firm}",
        "[|发票抬头]写{school}",
        "[|发票抬头]写个人",
        whole=("电子发票就行", "你们能开专票吗？", "发票发到我的邮箱"),
    ),
    asked_for(
        (
            ("{machine}坏了要报修", "请问{machine}购买多久了？"),
            ("我的{machine}没反应了", "{machine}购买多久了？"),
        ),
        "[|{machine}购买]{term}了",
        "[|{machine}购买]快{term}了",
        "[|{machine}购买]不到{term}",
        whole=("我找不到发票了", "你们的维修点在哪？", "上门维修要收费吗？"),
    ),
    asked_for(
        (
            ("提醒我{chore}", "好的，几点提醒您？"),
            ("记得提醒我{chore}", "没问题，什么时候提醒您？"),
        ),
        "{hour}[|提醒我{chore}]",
        "{date}{hour}[|提醒我{chore}]",
        "{hour}[|提醒我{chore}]吧",
        "改天[|提醒我{chore}]吧",
        whole=("算了，不用提醒了", "{hour}提醒我{chore2}", "谢谢"),
    ),
    asked_for(
        (
            ("给我推荐几部电影", "您喜欢什么类型的电影？"),
            ("周末想看电影", "好呀，想看什么类型的电影？"),
        ),
        "科幻[|电影]",
        "悬疑类型的[|电影]",
        "轻松一点的[|电影]",
        "喜剧[|电影]",
        "国产的[|电影]",
        "适合孩子看的[|电影]",
        whole=("我女朋友爱看恐怖片", "你推荐吧"),
    ),
)

MORE: Final = (
    swap(
        "{subject}零基础学{term}够吗",
        ("够入门了。", "不太够。", "看您的目标。"),
        "|{subject2}|零基础学{term}够吗",
        "{subject}零基础学|{term2}|够吗",
        "{subject}零基础|学{term2}|够吗",
        may=True,
    ),
    swap(
        "{bank}{date}{hour}能办卡吗",
        ("{hour}下班了。", "可以办，带上身份证。"),
        "|{bank2}|{date}{hour}能办卡吗",
        "{bank}{date}|{hour2}|能办卡吗",
        "{bank}|{date2}|{hour}能办卡吗",
        may=True,
        whole=("办卡要带什么证件？", "我的卡丢了", "你们的公众号叫什么？"),
    ),
    swap(
        "{car}跑{figure}公里要几度电",
        ("大约{figure2}度。", "看驾驶习惯。"),
        "|{car2}|跑{figure}公里要几度电",
        "{car}跑|{figure3}公里|要几度电",
        "{car}|跑{figure3}公里|要几度电",
    ),
    swap(
        "{nation}{festival}放假吗",
        ("不放假。", "放一天。"),
        "|{nation2}|{festival}放假吗",
        "{nation}|{festival2}|放假吗",
    ),
    swap(
        "{year}年{festival}是几月几号",
        ("我查一下日历。", "稍等，是2月{number}号。"),
        "|{year2}年|{festival}是几月几号",
        "{year}年|{festival2}|是几月几号",
    ),
    swap(
        "{school}离{spot}坐地铁几站",
        ("{number}站。", "大概{number}站路。"),
        "|{school2}|离{spot}坐地铁几站",
        "{school}|离{spot2}|坐地铁几站",
        "{school}离|{spot2}|坐地铁几站",
    ),
    swap(
        "{word}用{tongue}怎么写",
        ("我写给您看。", "请看屏幕。"),
        "|{word2}|用{tongue}怎么写",
        "{word}用|{tongue2}|怎么写",
        "{word}|用{tongue2}|怎么写",
        "[|{word}用{tongue}]怎么读？",
        "[|{word}用{tongue}怎么]念？",
    ),
    Scene(
        openings=(
            ("{car}和{car2}哪个好？", "{car}空间大，{car2}更省电。"),
            ("我在{car}和{car2}之间纠结", "{car}口碑好，{car2}价格低。"),
        ),
        frames={
            "several antecedents": (
                "[|{car}和{car2}]哪个便宜？",
                "[前者|{car}]多少钱？",
                "[后者|{car2}]续航多少？",
                "[|{car}和{car2}]哪个安全？",
                "[它们|{car}和{car2}]都有现车吗？",
                "[第二个|{car2}]能分期吗？",
            ),
        },
        whole=("{car}多少钱？", "我还没拿到驾照", "{car2}的保养贵不贵？", "油价又涨了"),
    ),
    Scene(
        openings=(
            ("{school}的{major}专业怎么样？", "{school}的{major}专业很强。"),
            ("{school}哪个专业好", "{major}是{school}的王牌专业。"),
        ),
        frames={
            "several antecedents": (
                "[这个专业|{major}]好就业吗？",
                "[这所大学|{school}]在哪个城市？",
                "[这个专业|{major}]要学什么课？",
                "[这所学校|{school}]学费多少？",
                "[它|{school}]是985吗？",
            ),
            "besides": (
                "[|{school}]还有别的[|专业]吗？",
                "[|{school}]还有其他的[|专业]吗？",
                "[|{school}]还有哪些专业？",
            ),
        },
        whole=("{school}在哪个城市？", "{major}好就业吗？", "我想考研", "高中生活真累"),
    ),
    Scene(
        openings=(
            ("{bank}的存款利率是多少？", "{bank}{term}期利率是1.5%。"),
            ("{bank}有什么理财产品", "{bank}有一款{term}期的理财产品。"),
        ),
        frames={
            "head noun": (
                "[它|{bank}]的网点几点开门？",
                "[这家银行|{bank}]安全吗？",
                "[他们|{bank}]周末上班吗？",
                "[这家银行|{bank}]在{town}有网点吗？",
            ),
        },
        whole=("{bank}周末上班吗？", "贵行的服务热线是多少？", "我的卡被吞了", "我要转人工"),
    ),
    Scene(
        openings=(
            ("附近有{place_kind}吗？", "有的，{spot}那边有一家。"),
            ("这附近哪里有{place_kind}", "最近的{place_kind}在{spot}。"),
        ),
        frames={
            "besides": (
                "[|附近]还有别的[|{place_kind}]吗？",
                "[|附近]还有[|{place_kind}]吗？",
                "[|附近]还有其他的[|{place_kind}]吗？",
                "[|附近]有没有近一点的[|{place_kind}]？",
                "换一个[|{place_kind}]",
            ),
            "fragment": ("去[|{spot}]怎么走？", "[|{spot}]远吗？", "到[|{spot}]要多久？"),
        },
        whole=("{place_kind}一般几点关门？", "导航去{spot}", "我走路过去吧", "谢谢，我找到了"),
    ),
    Scene(
        openings=(
            ("听说{festival}要调休", "是的，{festival}前后要调休。"),
            ("{festival}放几天假？", "{festival}放三天假。"),
        ),
        frames={
            "fragment": (
                "[|{festival}]是哪天？",
                "[|{festival}]从哪天开始放？",
                "[|{festival}]高速免费吗？",
                "[|{festival}]有什么习俗？",
            ),
        },
        whole=("{festival}快乐！", "不想上班", "{festival2}放几天假？", "终于可以回家了", "祝大家{festival}快乐"),
    ),
    Scene(
        openings=(
            ("{latin_app}要涨价了", "是的，{latin_app}下个月涨价。", "谁说的", "官方公告说的。"),
            ("{latin_app}要收费了", "是的，{latin_app}下个月开始收费。"),
        ),
        frames={
            "fragment": (
                "[|{latin_app}]多少钱？",
                "[|{latin_app}]多少钱一个月？",
                "[|{latin_app}]有免费版吗？",
                "[|{latin_app}]怎么退订？",
            ),
            "answer": (
                "[它|{latin_app}]有平替吗？",
                "我不想用[它|{latin_app}]了",
                "帮我退订[它|{latin_app}]",
            ),
        },
        whole=("又涨价，无语", "{latin_app}有平替吗？", "我早就不用{latin_app}了", "什么都涨就工资不涨"),
    ),
    Scene(
        openings=(
            ("{plant}叶子发黄", "{plant}叶子发黄可能是水浇多了。"),
            ("{plant}快枯死了", "别急，{plant}需要多晒太阳。"),
        ),
        frames={
            "fragment": (
                "[|{plant}]要不要换盆？",
                "[|{plant}]多久浇一次水？",
                "[|{plant}]还能救吗？",
                "[|{plant}]能晒太阳吗？",
            ),
            "answer": ("[它|{plant}]怕冷吗？", "怎么给[它|{plant}]施肥？", "[它|{plant}]要不要剪枝？"),
        },
        whole=("{plant}怕冷吗？", "我就是个植物杀手", "养花真难", "仙人掌都被我养死了"),
    ),
    denied("{school}", "{date}可以进校参观吗", "{date}不可以进校参观", "#。", "抱歉，{school}#。"),
    denied("{bank}", "{date}上班吗", "{date}不上班", "#。", "{bank}#。"),
    denied("{car}", "能坐七个人吗", "不能坐七个人", "#。", "{car}#。"),
    denied("{nation}", "免签吗", "不免签", "#。", "{nation}目前#。"),
)

FRAGMENTS: Final = (
    Scene(
        openings=(
            ("{machine}进水了", "别着急，先断电。"),
            ("{machine}进水了", "先关机，不要充电。", "嗯嗯", "也别急着开机。"),
        ),
        frames={
            "fragment": (
                "[|{machine}进水了]怎么办？",
                "那[|{machine}进水了]怎么办",
                "[|{machine}进水了]保修吗？",
                "修[|{machine}]要多久？",
                "修[|{machine}]多少钱？",
                "[|{machine}]还能用吗？",
            ),
        },
        whole=("{machine}进水了怎么办？", "我真是太粗心了", "你们的维修电话是多少？", "好的，我这就断电"),
    ),
    Scene(
        openings=(
            ("听说{latin_app}要停服", "是的，网上都在传{latin_app}要停服。"),
            ("{latin_app}要停服吗？", "好像是的，{latin_app}要停服。"),
        ),
        frames={
            "fragment": (
                "[|{latin_app}要停服是]谁说的？",
                "[|{latin_app}]什么时候[|停服]？",
                "[|{latin_app}]为什么[|要停服]？",
                "[|{latin_app}要停服]怎么办？",
                "[|{latin_app}停服]是真的吗？",
                "[|{latin_app}]哪天[|停服]？",
            ),
        },
        whole=(
            "{latin_app}什么时候停服？",
            "我的数据还没备份",
            "天下没有不散的筵席",
            "{latin_app}停服以后，它的数据还在吗？",
        ),
    ),
    Scene(
        openings=(
            ("{friend}的女儿上小学了", "恭喜{friend}！"),
            ("昨天见到{friend}的女儿了", "哇，可爱吗？"),
        ),
        frames={
            "fragment": (
                "[|{friend}的女儿]几岁了来着？",
                "[|{friend}的女儿]叫什么？",
                "[|{friend}的女儿]在哪上学？",
                "[|{friend}的女儿]几年级了？",
            ),
            "several antecedents": ("送[她|{friend}的女儿]什么礼物好？", "[她|{friend}的女儿]特别爱笑"),
        },
        whole=("时间过得真快", "小孩子都喜欢什么礼物？", "{friend}现在做什么工作？", "我也想当妈妈"),
    ),
    Scene(
        openings=(
            ("{firm}要发布新手机吗？", "是的，{firm}要发布新手机。"),
            ("听说{firm}要发布新手机", "对，已经官宣了。"),
        ),
        frames={
            "fragment": (
                "[|{firm}]什么时候[|发布新手机]？",
                "[|{firm}]在哪[|发布新手机]？",
                "[|{firm}的]新手机多少钱？",
                "[|{firm}新手机]多少钱？",
                "[|{firm}新手机]什么颜色？",
                "几号[|发布新手机]？",
            ),
        },
        whole=("{firm}什么时候发布新手机？", "我的手机还能再战两年", "{firm}的手机好用吗？", "坐等开售"),
    ),
    Scene(
        openings=(
            ("去{town}出差怎么去最方便", "您可以{ride}去{town}。"),
            ("怎么去{town}最方便", "建议{ride}去{town}。"),
        ),
        frames={
            "fragment": (
                "[|{ride}去{town}]要多久？",
                "[|{ride}去{town}]多少钱？",
                "[|{ride}去{town}]远吗？",
                "[|{ride}去{town}]几个小时？",
                "那[|{ride}去{town}]得多长时间？",
            ),
            "substitution": (
                "[|怎么]去{town2}[呢|最方便]？",
                "那[|怎么]去{town2}[呢|最方便]？",
            ),
        },
        whole=("{ride}去{town}要多久？", "公司报销吗？", "出差好累", "{town}住哪里方便？"),
    ),
    Scene(
        openings=(
            ("办护照要带什么？", "身份证和照片。"),
            ("办护照要带什么材料呀", "带上身份证和白底照片就行。"),
        ),
        frames={
            "fragment": (
                "[|办护照]要多久？",
                "[|办护照]多少钱？",
                "去哪[|办护照]？",
                "[|办护照]要预约吗？",
                "[|办护照]几天能拿到？",
            ),
            "substitution": (
                "[|办]身份证[呢|要带什么]？",
                "那[|办]港澳通行证[呢|要带什么]？",
                "[|办]居住证[呢|要带什么]？",
            ),
        },
        whole=("办护照要多久？", "我的照片是去年拍的", "派出所周末上班吗？", "孩子能办护照吗？"),
    ),
    Scene(
        openings=(
            ("我想办张健身卡", "好的，我们有年卡和季卡。"),
            ("你们有健身卡吗", "有的，年卡和季卡都有。"),
        ),
        frames={
            "fragment": (
                "[|年卡和季卡]哪个划算？",
                "[|年卡和季卡]多少钱？",
                "[|年卡和季卡]有什么区别？",
            ),
        },
        whole=("你们健身房几点关门？", "你们有游泳池吗？", "年卡多少钱？", "你们的地址在哪里？"),
        leads_to="to the shop",
    ),
    Scene(
        openings=(
            ("{friend}到了吗？", "{friend}到了，正在停车。"),
            ("{friend}出发了吗", "{friend}已经出发了。"),
        ),
        frames={
            "fragment": (
                "[|{friend}]在哪？",
                "[|{friend}]到哪了？",
                "[|{friend}]还要多久？",
                "[|{friend}]几点到？",
                "[|{friend}]一个人吗？",
                "[|{friend}]怎么来的？",
            ),
        },
        whole=("{friend}在哪？", "我下楼去接人", "{friend}说{friend.he}饿了", "让大家先坐吧"),
    ),
    Scene(
        openings=(
            ("{sight}{festival}人多吗？", "{sight}{festival}人很多，要预约。"),
            ("请问{sight}{festival}人多吗", "人很多。"),
        ),
        frames={
            "fragment": (
                "怎么预约[|{sight}]？",
                "[|{sight}]门票多少钱？",
                "[|{sight}]几点关门？",
                "[|{sight}]在哪？",
                "[|{sight}]学生票多少钱？",
            ),
            "substitution": ("{sight2}[呢|{festival}人多吗]？", "[|{sight}]{festival2}[呢|人多吗]？"),
        },
        whole=("{sight}几点关门？", "人山人海太可怕了", "还是在家躺着好", "{sight}可以带宠物吗？"),
    ),
    Scene(
        openings=(
            ("{kin}住院了", "希望早日康复。"),
            ("{kin}摔了一跤", "严重吗？要不要去医院？"),
            ("{kin}发烧了", "量一下体温，多喝水。"),
        ),
        frames={
            "several antecedents": (
                "[{kin.he}|{kin}]不肯吃药怎么办？",
                "[{kin.he}|{kin}]一直说头疼",
                "我要请假照顾[{kin.he}|{kin}]",
                "给[{kin.he}|{kin}]炖什么汤好？",
            ),
            "fragment": ("[|{kin}]能吃什么？", "[|{kin}]要挂什么科？", "[|{kin}]不能吃什么？", "[|{kin}]多久能好？"),
        },
        whole=("{kin}说{kin.he}好多了", "发烧挂什么科？", "医院真是人满为患", "健康最重要"),
    ),
    denied("{train}", "{date}开吗", "{date}不开", "#。", "{train}#。"),
    denied("{machine}", "可以分期吗", "不可以分期", "#。", "抱歉，{machine}#。"),
    denied("{friend}", "这周加班吗", "这周不加班", "#。", "{friend}#。"),
    denied("{hotel}", "能带宠物吗", "不能带宠物", "#。", "抱歉，{hotel}#。"),
    denied("{sight}", "{date}开放吗", "{date}不开放", "#。", "{sight}#。"),
    denied("{latin_app}", "能退款吗", "不能退款", "#。", "很抱歉，#。"),
    denied("{firm}", "今年招人吗", "今年不招人", "#。", "{firm}#。"),
    denied("{plant}", "能放卧室吗", "不能放卧室", "#。", "{plant}#。"),
)

CHAINS: Final = (
    chain("从{town}到{town2}多远", ("{km}公里。", "{km2}公里左右。"), "从{town}|到{town3}|多远"),
    chain("从{town}到{town2}{ride}要多久", ("三个小时。", "要五个小时。"), "从{town}到{town2}|{ride2}|要多久"),
    chain("{date}{town}会下雨吗", ("会的。", "不会。"), "{date}|{town2}|会下雨吗"),
    chain("{town}{date}最高气温多少度", ("{degree}。", "{degree2}。"), "{town}|{date2}|最高气温多少度"),
    chain("{sum}能换多少{foreign}", ("正在计算。", "稍等。"), "{sum}能换多少|{foreign2}|"),
    chain("{figure}{unit}等于多少{unit.into}", ("我算一下。", "稍等。"), "|{figure2}{unit}|等于多少{unit.into}"),
    chain("{clothes}的{colour}{size}还有货吗", ("有货。", "没有了。"), "{clothes}的|{colour2}|{size}还有货吗"),
    chain("{eatery}的{drink}大杯多少钱", ("{cost}元。", "{cost2}元。"), "{eatery}的|{drink2}|大杯多少钱"),
    chain("用{code}怎么{task}", ("示例如下。", "用标准库就行。"), "用|{code2}|怎么{task}"),
    chain("{latin_app}在{system}上怎么安装", ("去官网下载。", "应用商店里有。"), "{latin_app}在|{system2}|上怎么安装"),
    chain("{pet}能吃{fruit}吗", ("可以。", "不行。"), "{pet}能吃|{fruit2}|吗"),
    chain("{word}用{tongue}怎么写", ("请看屏幕。", "这样写。"), "{word}用|{tongue2}|怎么写"),
    chain("{sports_team}{date}几点比赛", ("{hour}。", "{hour2}。"), "|{sports_team2}|{date}几点比赛"),
    chain("持中国护照去{nation}要办签证吗", ("要的。", "不用。"), "持中国护照|去{nation2}|要办签证吗"),
    chain("{sum}存{bank}{term}利息多少", ("{km}元。", "{km2}元。"), "{sum}存{bank}|{term2}|利息多少"),
)

COMPLETE: Final = {
    "to the shop": (
        "你们的公众号叫什么？",
        "你们的售后电话是多少？",
        "请问贵公司的地址在哪里？",
        "贵公司几点下班？",
        "贵公司的官网是什么？",
        "贵公司周末有人值班吗？",
        "你们的营业时间是几点到几点？",
        "你们{festival}营业吗？",
        "你们春节放假吗？",
        "你们{town}的门店在哪里？",
        "你们支持{bank}的卡吗？",
        "你们支持七天无理由退换吗？",
        "你们的退换货流程是什么？",
        "你们的保修政策是什么？",
        "你们的发票怎么开？",
        "你们能开专用发票吗？",
        "你们怎么收费？",
        "你们的人工客服在线吗？",
        "转人工",
        "转人工客服",
        "我要跟人工客服说话",
        "这里可以刷支付宝吗？",
        "这里能用{bank}信用卡吗？",
        "这里有停车场吗？",
        "这里有无线网吗？",
        "你们这里可以试穿吗？",
        "你们有线下体验店吗？",
        "你们跟{carrier}合作吗？",
        "你们用什么快递？",
        "你们发{carrier}吗？",
        "你们有会员日吗？",
        "你们有学生优惠吗？",
        "你们招兼职吗？",
        "我想投诉你们的快递员",
        "我要给你们写感谢信",
        "你们老板是谁？",
        "你们公司在{town}有分公司吗？",
        "你们的APP怎么下载？",
        "怎么关注你们的公众号？",
        "你们的微信号是多少？",
        "你们的邮箱地址是什么？",
        "怎么注册成为你们的会员？",
        "你们接受以旧换新吗？",
        "你们店里卖{machine}吗？",
        "你们有{clothes}卖吗？",
        "请问你们这边几点关门？",
    ),
    "resolved inside": (
        "{kin}说{kin.he}{date}要来",
        "{kin}的手机丢了，{kin.he}很着急",
        "{friend}让我转告你{friend.he}到了",
        "{friend}把{friend.he}的车借给我了",
        "{athlete}什么时候公布{athlete.he}的退役计划？",
        "{athlete}小时候在哪练的，{athlete.he}的启蒙教练是谁？",
        "{firm}为什么把它的总部放在{firm.place}？",
        "{machine}到了，但是它开不了机",
        "{pet}生病了，它该看什么科？",
        "{plant}要不要把它搬到{lamp}？",
        "{latin_app}更新以后，它还支持{system}吗？",
        "把{lamp}的灯打开，{length}后再关掉它",
        "写{novel}的人是谁，{novel.he}是哪里人？",
        "唱{hit}的歌手叫什么，{hit.he}多大了？",
        "{sports_team}赢了，他们晋级了吗？",
        "告诉{kin}，{kin.he}的快递到了",
        "我朋友想买{car}，他预算不够",
        "{car}停在哪了，帮我找找它",
    ),
    "statement": (
        "我刚下班",
        "我在{spot}等朋友",
        "我今天跑了{cost}公里",
        "外面好大的雨",
        "我儿子考上{school}了",
        "周末我要去{town}",
        "我家的{plant}开花了",
        "我昨晚没睡好",
        "今天被老板夸了",
        "我是学{major}的",
        "我想喝{drink}",
        "我中午吃的{dish}",
        "我不爱吃{fruit}",
        "我刚买了{car}",
        "明天要考试，好紧张",
        "我搬到{town}三年了",
        "手机快没电了",
        "我的电脑是{system}系统",
        "我已经提交订单了",
        "我刚付完款",
        "今天发工资了",
        "我有点饿了",
        "我先去洗个澡",
        "我在地铁上，信号不好",
        "我喝醉了",
        "{sports_team}赢啦！",
        "太阳终于出来了",
        "老天爷啊，累死我了",
        "我的天，居然下雪了",
        "什么鬼天气！",
        "好家伙，堵了两个小时",
        "这日子过得真快啊",
        "终于放假了！",
        "哇，今天的晚霞好美",
    ),
    "new topic": (
        "{nation}的首都是哪里？",
        "{sight}是谁建的？",
        "{dish}怎么做？",
        "{firm}的老板是谁？",
        "{town}有什么特产？",
        "{tool}是干什么用的？",
        "{code}怎么读？",
        "对了，{athlete}是哪里人？",
        "换个话题，{planet}上有水吗？",
        "另外，{festival}放几天假？",
        "打开{latin_app}",
        "播放{podcast}",
        "{figure}乘以{number}等于多少？",
        "{hour}叫我起床",
        "把{lamp}的灯关了",
        "{pet}好养吗？",
        "{car}多少钱？",
        "{date}{town}天气怎么样？",
        "给{friend}打个电话",
        "{school}有多少学生？",
        "{novel}讲的是什么故事？",
        "放{hit.singer}的{hit}",
        "{herb}一天吃几次？",
        "怎么给{plant}浇水？",
        "讲一个{subject}的冷知识",
        "{machine}多少钱？",
    ),
}

FAREWELLS: Final = tuple(
    """
    好的，谢谢你 好的，辛苦了 好的，拜拜 好的，明天见 好的，我知道了 好的，没事了 谢谢小助手 谢谢你的帮忙
    谢谢，麻烦了 谢谢，你真好 谢谢，我睡了 谢谢，拜拜 谢谢，没别的了 多谢，回头聊 行，谢谢 行，就这样
    行，我去睡了 嗯，晚安 嗯，谢谢 嗯，辛苦了 晚安，辛苦了 晚安，谢谢你 晚安，爱你 晚安，明早见 晚安小可爱
    晚安宝贝 晚安晚安 那晚安 那我睡啦 那就这样，晚安 那再见 那拜拜 那我先下了 那先这样吧 睡觉了，明天见
    困了，睡了 我困了，晚安 我出门啦 我上班啦 我回家了 我到家啦 我起床了 我醒了 早啊 早上好呀 中午好呀 晚上好呀
    下午好呀 午安 今天辛苦了 你也早点休息 早点休息吧 好好休息 早点睡吧 注意休息 祝你今天愉快 祝你周末愉快
    祝你晚安 好梦哦 有个好梦 明儿见 后天见 周一见 下周见 改日再聊 下回聊 拜拜啦 拜拜咯 拜拜，谢谢 再见啦
    再见，辛苦了 再见，祝好 bye byebye goodbye 拜~ 88啦 真乖，谢谢 你真棒 你真能干 你太贴心了 有你真好 你辛苦了
    太感谢你了 感谢帮助 感谢您 谢谢您 十分感谢 万分感谢 thanks 谢谢谢谢 好的好的 好的呢 好滴 好哦 好呀 OKOK
    没问题，谢谢 收到，谢谢 明白了，谢谢 知道啦 知道了，谢谢 了解，多谢 可以了，谢谢 可以了 行了 够了 好了 搞定
    完美，谢谢 不用了，谢谢 不用啦 没有了 没有了，谢谢 没了 没别的事了 就这些 就这样 先这样吧 暂时没有 没啥事了
    退下吧 你去忙吧 休息吧 闭嘴
    """.split()
)

FOLLOWUPS: Final[tuple[Scene, ...]] = (
    TRAVEL
    + leading_to("to the shop", SHOP)
    + ASSISTANT
    + NUMBERS
    + CODE
    + leading_to("resolved inside", FAMILY)
    + SPORT
    + leading_to("resolved inside", PEOPLE)
    + FOOD
    + leading_to("to the shop", SLOTS)
    + MORE
    + FRAGMENTS
    + CHAINS
)
