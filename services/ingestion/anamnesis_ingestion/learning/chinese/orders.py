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
    r"|(?:出题|回复|回答|说话|推荐|翻译|点餐|邮件|文案|教案|作业|报告|代码)[^，]{0,8}?(?:别|不要|千万别)(?:用|写|加|放|带|出现|超过)[^，]{1,14}"
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
_ONCE = re.compile(r"这[次个段里]|那[次个段里]|现在|刚才|今天|一下|帮|我(?!的|们)|他|她|[吗呢吧]$")


def order(piece: Piece) -> Piece | None:
    """The lasting wish that a clause states; None for orders of the moment."""
    text = piece.text
    if _ONCE.search(
        text.replace("从现在", "")
        .replace("我的时候", "")
        .replace("给我", "")
        .replace("跟我", "")
        .replace("叫我", "")
    ):
        return None
    if any(each.fullmatch(text) for each in (_NEVER, _NO_MORE, _RULE, _MANNER, _HANDS_OFF)):
        return piece
    if _LASTING.search(text) is None:
        return None
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    return piece.part(start) if _WISH.fullmatch(text, start) else None
