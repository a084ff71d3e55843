"""Lasting wishes about an agent's work: 以后请用中文回答, 不要在代码里加注释."""

import re

from anamnesis_ingestion.learning.chinese.piece import Piece

_LASTING = re.compile(
    r"以后|今后|从今往后|从今以后|从现在起|从现在开始|往后|一律|统一|始终|永远|每次|下次开始"
)
_LEAD = re.compile(
    r"(?:以后|今后|从今往后|从今以后|从现在起|从现在开始|往后|下次开始)?(?:你|请你|请|麻烦|麻烦你)?"
    r"(?:(?:在)?(?:给我|跟我)?(?:回答|回复|推荐|写|跟我说话|说话|生成|输出|提交)(?:[^，]{0,8}?(?:的时候|时|里)|我的问题|问题))?"
)
_WISH = re.compile(
    r"(?:请|都|一律|统一|始终|尽量|永远|务必|必须)*(?:用|使用|不要|别|不用|不许|避免|只|直接|先|给|按|按照|保持|加上|写|叫我|记得|遵守|说|讲|回答|回复)"
    r"[^，]{1,30}"
)
_NEVER = re.compile(
    r"(?:请|一定|千万|绝对)*(?:不要|别|不准|不许|禁止|严禁)在(?P<where>[^，这那]{1,10})(?:里面|里|中|上|内)(?P<deed>[^，]{1,20})"
)
_NO_MORE = re.compile(
    r"(?:请|麻烦|你|以后|千万)*(?:别再|不要再|再也别)(?:用|给我|跟我|叫我|推荐|加|写|回复|提醒|建议|发)[^，]{1,20}"
)
_RULE = re.compile(
    r"(?:所有|每个|每次|任何|凡是)的?(?!人)[^，人]{1,12}(?:都|一律)*(?:必须|不能|不许|不得|禁止)[^，]{2,20}"
    r"|[^，我你他她]{2,12}必须[^，]{2,20}(?:才能|才可以|才行)[^，]{0,8}"
    r"|[^，我你他她]{2,8}(?:以后|今后|往后)(?:都|一律|统一|只)[^，了]{2,16}"
    r"|(?:你的?)?(?:回答|回复|答案|解释|说话)(?:得|要|请|尽量|都|可以)*(?:简短|简洁|简单|详细|直接|口语化|通俗)(?:一点|一些|点|些)?(?:就行|就好)?"
    r"|(?:[^，我你他她]{1,8}的)?(?:出题|回复|回答|说话|推荐|翻译|点餐|邮件|文案|教案|作业|报告|代码)[^，]{0,8}?(?:别|不要|千万别)(?:用|写|加|放|带|出现|超过)[^，]{1,14}"
    r"|[^，我你他她]{2,6}(?:里|中|上)(?:的[^，我]{1,6})?(?:都|一律|统一)(?:按|用|以)[^，了]{1,8}(?:来)?(?:写|算|标|列|记|做单位|为单位|表示)"
    r"|[^，我你他她人]{2,12}一律(?:用|写|放|按|存|采用|使用|不用|不要|别)[^，]{1,20}"
)
_MANNER = re.compile(
    r"(?:代码|变量|函数|类|文件|分支|提交|注释|日志|接口|缩进|命名|日期|时间|单位|金额|标题|字段|表名|枚举|错误码|版本号)[^，我你他这那]{0,6}?"
    r"(?:都|一律|统一|始终|必须|要)*(?:用|写成|写|采用|遵循|存成|存|显示成|显示为)(?!了|的|过)[^，了过]{1,16}(?<![写做改])"
)
"""How a thing of the work is written: 代码缩进用两个空格."""
_HANDS_OFF = re.compile(
    r"(?:请|千万|绝对)*(?:不要|别|禁止|严禁|不许|不准|不能)(?:乱|随便|擅自|直接)?"
    r"(?:动|改动|改|碰|删除|删|提交|修改|合并|推送|推|覆盖|上传|引入|依赖)(?P<what>[^，这那它了吗呢]{3,24})"
)
_FOR_ME = re.compile(
    r"(?:[^，我你他她了]{1,10}?)?(?:请|麻烦|千万|就|都|一律)*(?:别|不要)(?:再)?(?:叫我|给我(?:发|写|推荐|加|用|排|安排|打|翻译|列|讲|回|生成|标|推|整|约|订)(?:这种|那种)?)[^，这那它了吗呢]{1,16}"
    r"|(?:平时|以后|就)?(?:可以|就)?叫我[^，的了这那]{1,8}(?:就行|就好|就可以|即可)"
    r"|(?:跟我|和我|给我)(?:说话|讲|解释|回答|回复)(?:的时候|时)?[^，了吗呢]{0,4}(?:简单|直接|短|慢|通俗|详细|口语|正式|客气)[^，了吗呢]{0,6}"
    r"|(?:写|回|做|翻译|回复|回答)[^，我他她]{1,8}?(?:的时候|时候?)[^，了吗呢]{2,14}(?:点|些)"
    r"|(?:你)?(?:讲|说|写|解释|回答)(?:得)?(?:简单|直接|简短|通俗|详细|口语|正式)(?:一)?(?:点|些)(?:就行|就好)?"
)
"""What is wished for whenever something is made for the speaker: 文档别给我发Word."""
_WORK = (
    r"(?:回答|回复|回我|推荐|写|发|做|翻译|生成|输出|提交|改|部署|上线|合并|发布|安排|订|选|画|总结|解释|称呼|叫我|喊我|叫|查|列|命名"
    r"|代码|注释|变量|邮件|文案|报告|方案|周报|日报|文档|表格|合同|菜谱|简历|标题|格式|语气|图表|数据|金额|日期|单位|价格|菜|跟我|给我|和我|提醒我|通知我|问我|聊天|说话|讲)"
)
_HOW = (
    r"(?:别|不要|不用|不许|请|用|只|先|按|直接|统一|一律|记得|叫我|称呼我|喊我|控制|保持|加上|带上|附上|注明|标明|标注|标|避开|避免|保留|写|给我|简短|简洁|详细|发|列"
    r"|必须|务必|尽量|要|得|都|不超过|限)"
)
_FROM_NOW = re.compile(
    rf"(?:以后|今后|往后|从今往后|从现在起|从现在开始|下次起|之后)(?:你|请|麻烦|都|就|再)*(?=[^，]{{0,8}}{_WORK})[^，了吗呢]{{0,12}}?{_HOW}[^，了吗呢]{{1,24}}"
    rf"|(?:以后|今后|往后|从今往后|之后)(?:称呼|叫|喊)我[^，了的这那]{{1,8}}(?:就行|就好|就可以|即可|吧)?"
)
"""A wish about work from now on: 以后回答我别带表情符号."""
_WHENEVER = re.compile(
    rf"(?:(?:以后|每次)?(?:我们|你)?(?:帮我|给我)?(?:要)?{_WORK})[^，我你他她了]{{0,8}}(?:的时候|时候?|之前|前|里|中|之后|后|的话)(?:请|都|也|就|要|得|一定|尽量|所有的?|[^，我你他她了]{{0,4}})?"
    rf"(?:别|不要|用|只|先|按|统一|一律|记得|控制|保持|加上|带上|附上|注明|标明|标注|避开|避免|保留|必须|务必|不超过|预算|都要|都用|都写|要写|要用|要带|要加)[^，了吗呢]{{1,24}}"
)
"""A wish about one kind of work: 推荐餐厅的时候预算控制在人均一百五以内."""
_WHEN = re.compile(
    rf"(?:以后|今后|往后|每次|每当|之后|平时)(?:你|请|麻烦)?(?:帮我|给我|跟我|和我|回复我|回答我|提醒我|我)?[^，我他她了]{{0,12}}(?:的时候|时候|时|之前|前|之后)"
    rf"|(?:帮我|给我|跟我)?{_WORK}[^，我你他她了]{{0,8}}(?:的时候|时候|之前)"
)
"""A clause that says when a wish holds: 以后帮我写代码时，变量名用下划线."""
_WISHED = re.compile(
    r"(?:你|请|都|也|一律|统一|麻烦)*[^，我他她了吗呢]{0,10}?(?:别|不要|不用|用|只|先|再|保留|标明|注明|带上|加上|加|附上|控制|不超过|叫我|直接|按|写|放|给我|简短|简洁|详细|要|必须|尽量|记得)[^，他她了吗呢]{1,24}"
)
_ADDRESSED = re.compile(
    r"(?:以后)?(?:你)?(?:就|还是)?(?P<held>(?:叫|喊|称呼)我[^，我你他她了的这那吗呢]{1,8}?(?:就行|就好|就可以|即可)?)吧?"
)
"""How the speaker wants to be called: 以后你就叫我老板吧."""
_ANSWERED = re.compile(
    r"(?:请|都|麻烦)(?:你)?(?:都|一律|尽量|统一)?(?:用|以)[^，我你他她这那]{1,10}(?:回复|回答|跟我说|和我说)我?(?:就行|就好)?"
)
"""How answers are to be: 请用简短段落回复我."""
_DISLIKED = re.compile(
    r"我(?:很|特别|真的)?(?:不(?:太|是很|怎么)?喜欢|讨厌|不希望|不想)(?:你|别人|人家)(?:总是|老是|老)?(?:叫我|喊我|给我|跟我|用|说|发|回)[^，吗呢了]{1,16}"
    r"|(?:我)?(?:希望|想要?)你(?:以后|每次|都|先|别|不要|能先|尽量)+[^，吗呢了]{2,20}"
)
"""What an agent is not to do, told as a dislike: 我不喜欢你叫我全名."""
_OURS = re.compile(
    r"(?:你)?(?:必须|只能|一律|始终|只)用 ?[A-Za-z][^，了吗呢的]{1,20}"
    r"|(?:这个|本|我们的?|该)?(?:项目|仓库|代码库|工程)(?:里|中)?(?:都|统一|一律|只|一直)?用[A-Za-z][^，了吗呢]{1,20}"
)
"""What a project is made with, said to whoever works on it: 这个项目用 pnpm，不要用 npm."""
_GOES_ON = re.compile(
    r"(?:也|都|一律|统一|请|而且|并且|另外|永远|绝对)*(?:别|不要|不用|只|用|先|再|急着|保留|标明|注明|带上|加上|附上|控制在|不超过|叫我|直接|按|写|放|给我)[^，我你他她了吗呢]{1,20}"
    r"|[^，我你他她了吗呢]{1,6}(?:以内|左右|以上|为主)"
)
"""A clause that goes on with a wish: 保留两位小数."""
_ONCE = re.compile(
    r"这[次个段里样]|那[次个段里样]|现在|刚才|今天|一下|帮|我(?!的|们)|他|她|[吗呢吧]$"
)

_TO_ME = re.compile(
    r"从现在|我的时候|[给跟叫和喊回]我|(?:回答|回复|推荐|称呼|提醒|通知|询问|问|帮)我|[那这]种|我(?:的|们的)"
)
"""What is no word of the moment, and 我 whom the agent does it for."""

_SAID_TO_ME = (_ANSWERED, _DISLIKED, _OURS)
"""Forms that speak of 我 and last all the same."""
_LAID_DOWN = (*_SAID_TO_ME, _NEVER, _NO_MORE, _RULE, _MANNER, _HANDS_OFF, _FOR_ME)


def opens_wish(piece: Piece, after: Piece | None) -> bool:
    """True for a clause that says when what the next clause wishes for holds."""
    when = _WHEN.fullmatch(piece.text) is not None
    return when and after is not None and _WISHED.fullmatch(after.text) is not None


def goes_on(piece: Piece) -> bool:
    """True for a clause that goes on with the wish of the clause before it."""
    return _GOES_ON.fullmatch(piece.text) is not None


def order(piece: Piece) -> Piece | None:
    """The lasting wish that a clause states; None for orders of the moment."""
    text = piece.text
    if _WHEN.fullmatch(text):
        return None
    piece = piece.part(0, len(text.rstrip("吧")))
    text = piece.text
    addressed = _ADDRESSED.fullmatch(text)
    if addressed is not None:
        return piece.part(*addressed.span("held"))
    of_moment = _ONCE.search(_TO_ME.sub("", text)) is not None
    laid_down = any(each.fullmatch(text) for each in (_SAID_TO_ME if of_moment else _LAID_DOWN))
    if of_moment or laid_down:
        return piece if laid_down else None
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    if _LASTING.search(text) is not None and _WISH.fullmatch(text, start):
        return piece.part(start)
    return piece if _FROM_NOW.fullmatch(text) or _WHENEVER.fullmatch(text) else None
