"""Slots that have one value at a time: 会议地点, 主要整理工具. A new value closes the old one.

A slot is the speaker's, unless it is one of things that several share (会议, 项目): then it is a
subject of its own. The value stands as it was said, its words of time included.
"""

import re
from dataclasses import dataclass
from functools import cache

from anamnesis_ingestion.learning.chinese.employers import place
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words

_OWNER = r"(?:(?P<mine>我(?!们)|咱(?!们))|(?P<ours>我们|咱们))?"
_ADVERBS = (
    r"(?:后来|又|已经|已|现在|刚刚|刚|原本|原来|原先|目前|本来|一开始|最后|最终"
    r"|决定|昨天|今天|上周|也|都|就|还是|临时|暂时|先)*"
)
_CHANGE = r"(?:改|换|调整|变更|调|更新|更改|移|挪|改期|改约|切换|迁移|升级|延|推迟|提前)"
_INTO = r"(?:成了|成|为|到了|到|至|在|回)"
_SLOT = r"(?P<slot>[^，是把从]{{0,12}}?{slots})"
_VALUE = r"(?P<value>.{1,30})"
_FORMS = (
    rf"{_OWNER}{_ADVERBS}(?:的)?{_SLOT}{_ADVERBS}(?P<held>(?:想|打算)?(?:先|暂时|就)*(?:定在|定为|定成|设在|设为|选在|约在))了?{_VALUE}",
    rf"{_OWNER}{_ADVERBS}(?:把|将){_SLOT}(?:从(?P<old>.{{1,20}}?))?{_CHANGE}{_INTO}了?{_VALUE}",
    rf"{_OWNER}{_ADVERBS}(?:的)?{_SLOT}{_ADVERBS}(?:从(?P<old>.{{1,20}}?))?{_CHANGE}{_INTO}了?{_VALUE}",
)
_IS = rf"{_OWNER}{_ADVERBS}的{_SLOT}{_ADVERBS}(?:是|为|叫做|叫){_VALUE}"
_MOVED = re.compile(
    rf"{_OWNER}(?:团队|公司|部门|项目组|组)?(?P<head>{_ADVERBS}(?:把|将)?)(?P<home>家)?(?:的)?(?P<slot>[^，是把从的我你他她它人和]{{1,8}})(?<![不没])"
    rf"从(?P<old>.{{1,20}}?)(?:换|改|调整|变更|更改|切换|切|迁移|迁|升级|改期|改约|推迟|提前|挪|调){_INTO}了?{_VALUE}"
)
_PART = re.compile(
    r"(?:我们|咱们|我|咱)?(?:这个|这边|这里)?(?:的)?(?:项目|团队|公司|组里)?(?:的)?"
    r"(?P<slot>[^，是把从的我你]{0,4}?{parts})(?:我们|咱们|我|这边)?(?:最后|最终|后来|还是)*"
    r"(?:现在|目前|都|主要|这边|那边|这块|一直|统一|还|仍然|还是)*"
    r"(?:在用|是用的|用的是|用的|用|走的|走|是|选的是|选的|选了|跑在|部署在|走的是|在)?"
    r"(?P<value>[A-Z][A-Za-z\d.+#/]*(?: [A-Z\d][A-Za-z\d.+#]*){0,2}"
    r"(?:[、和加+][A-Z][A-Za-z\d.+# ]*){0,3})"
    r"(?:写的|做的|搭的|管的|上|为主| ?(?:微服务|单体|架构|项目|集群|技术栈))?"
)
"""What a part of a team's work is made with: 数据库用的PostgreSQL, 缓存Redis."""
_ADDRESS = re.compile(
    r"(?:我们|咱们|我|咱)?(?:的)?(?P<slot>[^，是把从的我你他她它在]{0,6}?"
    r"(?:环境|服务器?|数据库|地址|端口|域名|仓库|接口|日志|配置|后台|官网|机器|镜像|网关|文档|跳板机|面板|脚本|代码|文件))"
    r"(?:现在|都|默认)*(?:放在|部署在|跑在|存在|监听|在|是|为|用)?"
    r"(?P<value>[A-Za-z\d./:@~-]*[\d./][A-Za-z\d./:@~_-]*)(?:上|里|下面)?"
)
"""Where a thing of the work is found: 测试环境在10.0.3.12, 端口8081."""
_ADDRESS_CHARS_MIN = 3
_COMMAND = re.compile(
    r"(?P<slot>[^，是把从的我你他她它用]{0,4}?(?:启动|测试|构建|部署|编译|打包|格式化|检查|安装|迁移|发布))"
    r"(?:命令|脚本)?"
    r"(?:都|一般|现在)*(?:是|用|跑|走|执行)(?:的是)?"
    r"(?P<value>[a-z][A-Za-z\d_.:/@=-]*(?: [A-Za-z\d_.:/@=-]+){0,5})"
)
"""The command by which something is done: 测试用 pytest -x."""
_RAISED = re.compile(
    r"(?:已经|刚)?(?:把)?(?P<slot>[A-Z][A-Za-z.+#]+)"
    r"(?:已经|刚)?(?:从[A-Za-z\d.]{1,8})?(?:升级|升)(?:到|成)了?(?P<value>\d[A-Za-z\d.]{0,9})了?"
)
"""A version: MySQL升到8.0了."""
_NAMED = re.compile(
    r"(?:我们?的?|咱们?的?)?(?P<slot>(?:店|公司|品牌|工作室|餐厅|民宿|乐队|公众号|小红书号?|账号|频道|项目)(?:名字?|的名字)?)(?:就)?(?:叫做|叫|名叫|取名叫)"
    r"[“”「\"]?(?P<value>[^，的了我你他“”「」\"]{1,10})[”」\"]?"
)
"""The name of what the speaker keeps: 店名叫半山."""
_COST = re.compile(
    r"(?:我的?|我们的?)?(?P<slot>(?:房贷|车贷|月供|学费|物业费|保费|水电费?|停车费|生活费|话费|抚养费|赡养费|退休金|养老金|零花钱|补课费|托费|伙食费|月租|房租|租金|车位|[^，我你他她的是了]{0,4}预算)(?:还剩|还差|还有)?)(?:大概|差不多|现在|我)*"
    r"(?:每个月|每月|一个月|一年|每年|一学期)?(?:要还|还要|还|要交|要|得|是|交|(?:可以)?(?:提高|提|加|涨|降|压|缩减)到|控制在|定在|给|付)?了?"
    r"(?P<value>\d[\d,.]*[万千百kK]?[多来]?(?:块钱|块|元|人民币)?|[一二两三四五六七八九十百千万零半多]{2,8}(?:块钱|块|元|人民币)?)(?:左右)?"
)
"""What is paid again and again: 房贷每个月还7800."""
_MY_NAME = re.compile(
    r"我(?:开|家|车)?的?(?P<slot>车牌号?|英文名|网名|花名|昵称|小名|外号|绰号|微信名|邮箱|微信号)(?:字)?(?:就)?(?:是|叫做|叫)?"
    r"(?P<value>[^，的了我你]{1,24})"
)
_REACHED = re.compile(
    r"(?:我的?)?(?P<slot>新号码?|新手机号|新邮箱|微信号?|邮箱|工作邮箱|个人邮箱|公司邮箱|QQ号?|手机号|电话|GitHub|用户名|账号)(?:账号)?(?:是|为|叫|：)(?P<value>[A-Za-z\d][A-Za-z\d_.@+-]{3,40})"
)
"""Where somebody is reached: 工作邮箱是 li@example.com."""
_YEARLY = re.compile(
    r"(?:每个月|每月|一个月|一年|每年|一学期)(?:的)?(?P<slot>学费|物业费|保费|停车费|生活费|房租|月租|补课费|托费|退休金|养老金|零花钱)(?:是|要|大概|差不多)*"
    r"(?P<value>\d[\d,.]*[万千百kK]?[多来]?(?:块钱|块|元)?|[一二两三四五六七八九十百千万零半多]{2,8}(?:块钱|块|元)?)"
)
_PAID = re.compile(
    r"(?:我|他|她|公司|对方|家里)?(?:每个月|每月|一个月|一年|每年)(?:都|要|会|得)*(?:给我|给|交|还|付|花|领|拿|有)"
    r"(?P<value>\d[\d,.]*[万千百kK]?[多来]?(?:块钱|块|元)?|[一二两三四五六七八九十百千万零半]{1,8}[多来]?(?:块钱|块|元)?)(?:的)?"
    r"(?P<slot>房贷|车贷|学费|物业费|保费|停车费|生活费|话费|抚养费|赡养费|退休金|养老金|零花钱|补课费|房租|租金)"
)
"""The same with the sum first: 每个月给两千抚养费."""
_DEVICE = re.compile(
    r"(?:我的?|我们的?|我家的?|家里的?)?(?:这台|这边的?)?(?P<slot>机器|开发机|电脑|笔记本|台式机|手机|平板|相机|镜头|耳机|显卡|显示器|键盘|手表|手环|路由器|车|汽车|打印机|游戏机|系统|内存)"
    r"(?:现在|目前|还)*(?:是|用的是|用的|用|装的是|跑的是)(?:一?[台辆部个])?(?P<value>(?=[^，]*[A-Za-z\d]|华为|小米|苹果|索尼|联想|荣耀|三星|佳能|尼康|富士|大疆|比亚迪|特斯拉|蔚来|理想|小鹏|本田|丰田|大众)[^，我你他她的了吗呢么]{2,24})"
)
"""A device by its maker and model: 电脑是联想小新Pro16."""
_FIGURE = re.compile(
    r"(?:我的?|我们的?|我们公司的?)?(?:每天)?(?P<slot>{figures})(?:一共|总共|现在|目前|大概|差不多|来回|是|有|要|得|就)*"
    r"(?P<value>(?:\d[\d,.]*|[一二两三四五六七八九十百千万零半]+)[万千百kK]?[多来]?(?:个人|人|年|个月|天|个?多?小时|平米|平方|平|个点|块|元|粉|粉丝|[一二三四五六七八九])?)"
)
"""What is told with its figure: 试用期六个月."""
_PLACED = re.compile(
    r"(?:我的?|我们的?|我家的?|咱)?(?P<slot>{seats})(?:都|也|就|现在|目前|还|落|买|租|开|设|定)*在(?:了)?(?P<value>[^，我你他她它的了]{2,12}?)(?:那边|这边|附近|旁边|里)?"
)
"""Where something of the speaker's is: 仓库在东莞, 房子买在长沙."""
_BUILT = re.compile(
    r"(?:我的|我们的|我|我们)(?P<slot>[^，我你他她它的了用]{1,8}?)(?:的)?(?:是)?用"
    r"(?P<value>[A-Z][A-Za-z\d.+# ]{1,20})(?:搭|做|写|建|跑|生成|开发)的"
)
_MADE_WITH = re.compile(
    r"(?:我们?的?)?(?P<slot>[^，我你他她它的了是用不没]{2,6}?)(?:现在|一直|都|目前|主要|一般)*(?:用的(?:都)?是|选的是|走的是)"
    r"(?P<value>[^，我你他她它这那吗呢了什么哪]{2,14})"
)
"""What somebody uses for something: 面粉用的是王后的T65."""
_OWNED = re.compile(r"{kin}|朋友|同事|同学|邻居|室友|公司|团队|部门|学校|别人")
"""Whoever else may use it."""
_CHANGED = re.compile(
    r"(?:我的?|我们的?)?(?P<slot>{slots})(?:又|已经|也)?(?:改|换|变|调整)了(?:现在|改成|改为|换成|变成|新的)*(?:是|为)?(?P<value>[^，我你他她它这那吗呢了]{2,24})"
)
"""A slot that has changed, with the clause that says to what: 营业时间改了，早上九点到晚上九点."""
_HEADCOUNT = re.compile(
    r"(?:我们?的?|咱们?)?(?P<slot>[\u4e00-\u9fff]{1,3}组|部门|小组|组里|公司|店里|班上|厂里|团队|办公室|科室|宿舍|寝室|家里|全家)(?:里)?(?:一共|总共|现在|目前|大概|差不多|就|有|才|只有|只)*"
    r"(?P<value>(?:\d{1,5}|[一二两三四五六七八九十百千]{1,5})(?:多|来|几)?(?:个|口|名)?(?:人|员工|学生|同事|医生|护士))"
)
"""How many people there are: 我们部门一共九个人."""
_NOW = re.compile(
    r"(?:我的?|我们的?)?(?P<slot>{slots})(?:现在|目前|如今)(?:已经)?(?:是|为|用的是|改成了?|换成了?)(?P<value>[^，我你他她它这那吗呢了]{1,20})"
)
"""A slot by what it is now: 尾号现在是8823."""
_EXPIRES = re.compile(
    r"(?:我的?|我们的?)?(?:租的|签的|现在的)?(?P<slot>房子|房租|合同|租约|租期|签证|护照|身份证|驾照|驾驶证|保险|车险|会员|居住证|年卡|健身卡|域名|证书)"
    r"(?:是|要|签|租|到|在)*(?P<value>(?:{when})[^，我你他她了]{0,12}?)(?:就|才|要|会)?(?P<ends>到期)了?"
)
"""The day on which something runs out: 租的房子到明年六月到期."""
_WORK = (_ADDRESS, _COMMAND, _RAISED)
"""Slots of the work, by how they are told."""
_OWN = (
    *(_COST, _PAID, _YEARLY, _DEVICE, _FIGURE, _PLACED, _BUILT, _NAMED, _MY_NAME),
    *(_HEADCOUNT, _NOW, _EXPIRES, _REACHED, _CHANGED),
)
"""Those that are the speaker's: what is paid, names, devices, figures, places."""
_NO_TOOLS = frozenset(
    "Bug API Demo Code Review Leader Owner PR UI UX PM Mentor Offer OK KPI OKR".casefold().split()
)
_APPOINTED = re.compile(
    r"(?:(?P<mine>我(?!们)的?|咱的?)|我们的?|(?P<whose>{kin})的?)?"
    r"(?P<slot>(?!{kin})[^，是把从的我你他她它]{0,6}?{events})(?:的)?(?:时间|日期)?"
    r"(?:已经|就|也|又|临时)*(?:(?:订|定|约|安排|排|改|改约|改期|推迟|推|提前|延期|延|挪)?(?:在|到|是|为|成)了?)?"
    r"(?P<value>(?:{when}).{0,16}?)(?:了|吧)?"
)
"""A day that is set for something: 面试改到了下周三, 预产期在明年三月."""
_DAY_FIRST = re.compile(
    r"(?:(?P<mine>我(?!们)的?)|我们的?)?(?P<value>(?:{when})[^，是把从的我你他她它在去做考过了有个期不没要办]{0,8})"
    r"(?:有个|有场|有)?(?P<slot>(?!{kin}|[要会想办])[^，是把从的我你他她它在去做过了有个月日号不没要办想天]{0,3}?{events})"
)
"""The same with its day first: 五月十七号期中考."""
_WHEN = (
    r"[这下本]+周(?![一二三四五六日天边末])|(?:今|明|后|大后)(?:天|早|晚|年)|(?:这|本|下下?)?个?(?:周|星期|礼拜)[一二三四五六日天末]|下+个?月|这个月|本月|月[底初]|年底|\d{1,4}[年月号日点:]"
    r"|[一二三四五六七八九十]{1,3}[月号日点]|(?:早上|上午|中午|下午|晚上)|春节|国庆|五一|元旦|中秋|暑假|寒假"
)
_UNSETTLED = ("会", "要", "想", "能", "可以", "应该", "需要", "打算", "计划", "准备", "可能")
_DIRECTION = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:那边|这边)?(?:去|来)$")
"""Which way somebody goes, behind the place: 挪到惠州去了."""
_POINTS = re.compile(r"^(?:什么|这|那|它|你|您|谁)|怎么|什么")


@dataclass(frozen=True, slots=True)
class Setting:
    """A slot with its value, and the value that it had."""

    slot: Piece
    value: Piece
    old: Piece | None
    mine: bool
    changed: bool

    @property
    def is_place(self) -> bool:
        """True for the slot of where something is."""
        return self.slot.text in words("seats")


def setting(piece: Piece) -> Setting | None:
    """The slot that a clause fills or changes."""
    for number, form in enumerate(_forms()):
        match = form.fullmatch(piece.text)
        if (
            match is None
            or (match["mine"] and match["slot"] in {"名字", "名"})
            or not _fits(match, asserted=number in (0, len(_FORMS)))
        ):
            continue
        old = match.groupdict().get("old")
        return Setting(
            slot=_without_owner(piece.part(*match.span("slot"))),
            value=_trimmed(piece.part(*match.span("value"))),
            old=piece.part(*match.span("old")) if old else None,
            mine=match["mine"] is not None and re.search(_shared(), match["slot"]) is None,
            changed=number in (1, 2),
        )
    return None


def part(piece: Piece) -> Setting | None:
    """A part of a team's work, with what it is made with."""
    match = _pattern(_PART).fullmatch(piece.text)
    if match is None or not _NO_TOOLS.isdisjoint(match["value"].casefold().split()):
        return None
    slot, value = piece.part(*match.span("slot")), piece.part(*match.span("value"))
    return Setting(slot=slot, value=value, old=None, mine=False, changed=False)


def named_value(piece: Piece) -> Setting | None:
    """A thing with its address, its command, its version, its price or its name."""
    found = ((each, _pattern(each).fullmatch(piece.text)) for each in (*_WORK, *_OWN))
    form, match = next(((each, hit) for each, hit in found if hit), (_ADDRESS, None))
    if match is None or (form is _PLACED and not place(match["value"])):
        return None
    if form is _ADDRESS and len(match["value"]) < _ADDRESS_CHARS_MIN:
        return None
    slot, value = piece.part(*match.span("slot")), piece.part(*match.span("value"))
    if form is _EXPIRES:
        slot = slot.then(piece.part(*match.span("ends")))
    return Setting(slot=slot, value=value, old=None, mine=form in _OWN, changed=False)


def appointed(piece: Piece) -> Setting | None:
    """Something of the speaker's with the day that is set for it."""
    match = _pattern(_APPOINTED).fullmatch(piece.text) or _pattern(_DAY_FIRST).fullmatch(piece.text)
    if (
        match is None
        or match.groupdict().get("whose")
        or re.search(r"[过吗呢]|做了|[要会]$", match["value"])
    ):
        return None
    slot, value = piece.part(*match.span("slot")), piece.part(*match.span("value"))
    shared = match["mine"] is None and re.search(_shared(), match["slot"]) is not None
    return Setting(slot=slot, value=value, old=None, mine=not shared, changed=False)


def moved(piece: Piece) -> Setting | None:
    """A setting that goes from one value to another: 我们家的车从大众换成了特斯拉."""
    match = _MOVED.fullmatch(piece.text)
    if match is None or not _fits(match, asserted=False):
        return None
    if match["slot"].endswith(_UNSETTLED) and match["slot"] not in words("shared"):
        return None
    return Setting(
        slot=piece.part(*match.span("slot")),
        value=_trimmed(piece.part(*match.span("value"))),
        old=piece.part(*match.span("old")),
        mine=bool(match["mine"] or match["home"]) or match["slot"] in words("seats"),
        changed=True,
    )


def made_with(piece: Piece) -> Setting | None:
    """The thing that the speaker uses for something: 面粉用的是王后的T65."""
    match = _MADE_WITH.fullmatch(piece.text)
    if match is None or any(word.tag[0] not in "nljx" for word in tagged(match["slot"])):
        return None
    if _pattern(_OWNED).search(match["slot"]) or match["value"].endswith("的"):
        return None
    slot, value = piece.part(*match.span("slot")), piece.part(*match.span("value"))
    return Setting(slot=slot, value=value, old=None, mine=True, changed=False)


def _fits(match: re.Match[str], *, asserted: bool) -> bool:
    """Orders fill no slot: a change needs an owner, 了, or what changes before its verb."""
    if _POINTS.search(match["value"]) or _POINTS.search(match["slot"]):
        return False
    owned = match["mine"] is not None or match["ours"] is not None
    done = "了" in match.group() or "后来" in match.group()
    ordered = "把" in match.group() or "将" in match.group()
    return owned if asserted else (owned or done or not ordered)


def _trimmed(piece: Piece) -> Piece:
    end = len(_DIRECTION.sub("", piece.text.rstrip("了啦啊呢哦」”")))
    start = len(piece.text) - len(piece.text.lstrip("「“"))
    return piece.part(start, end) if end > start else piece


def _without_owner(piece: Piece) -> Piece:
    start = len(piece.text) - len(piece.text.lstrip("的"))
    return piece.part(start)


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    named = {"slots": alternation("slots")}
    return tuple(
        re.compile(form.replace("{{0,12}}", "{0,12}").replace("{slots}", named["slots"]))
        for form in (*_FORMS, _IS)
    )


@cache
def _pattern(pattern: re.Pattern[str]) -> re.Pattern[str]:
    text = pattern.pattern.replace("{parts}", alternation("parts")).replace("{when}", _WHEN)
    for name in ("figures", "seats", "slots"):
        text = text.replace(f"{{{name}}}", alternation(name)) if f"{{{name}}}" in text else text
    return re.compile(
        text.replace("{events}", alternation("events")).replace("{kin}", alternation("kin"))
    )


@cache
def _shared() -> re.Pattern[str]:
    return re.compile(alternation("shared"))
