"""Chinese frames: whole clauses with their topic first, without a subject, or of a thing.

They are read before the patterns that follow a subject. Group `s` is who or what it is about;
where it is missing it is the subject before it in the sentence, else the speaker. Group `o` is the
object.
"""

import re
from collections.abc import Callable

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_pattern import Pattern, Who
from services.ingestion.learning.local.chinese_pattern import pattern as _p
from services.ingestion.learning.local.drafts import Clause
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate
ROLE = rf"(?:{words.KIN}|{words.SOCIAL}|{words.PET})"
NAME = rf"(?:{words.LATIN_NAME}|{words.SHORT_NAME}|{words.FULL_NAME})"
S = (
    rf"(?P<s>(?:我|咱|俺|他|她|我们)?(?:家)?(?:的)?{ROLE}|我们|咱们|咱俩|我俩|我(?:自己|本人"
    rf"|这(?:个)?人)?|咱|俺|本人|他们|她们|他|她"
    rf"|{NAME})"
)
ME = rf"(?:{S}(?:是|真的?|实在|从小|一直|现在|平时|其实)*)?"
N = r"[\d一二两三四五六七八九十百千万仨俩几半]+"
_PLACE_THING = (
    r"(?:阳台|厨房|客厅|卧室|书房|房间|房子|屋顶|地下室|花园|院子|车库|电梯|暖气|马桶|水管|窗户"
    r"|门锁|冰箱|空调|洗衣机|电视|电脑|笔记本|手机|平板|打印机|路由器"
    r"|热水器|燃气灶|烤箱|洗碗机|扫地机|相机|镜头|耳机|键盘|显示器|屏幕|电池|后备箱|发动机|轮胎"
    r"|车|摩托|自行车|电动车|面馆|餐厅|饭店|超市|健身房|图书馆|诊所"
    r"|药店|理发店|咖啡店|咖啡馆|菜市场|店|办公室|会议室|仓库|工位|宿舍|小区|学校|公司)"
)
THING = (
    rf"(?P<s>(?:(?:我们?|咱们?|俺)?家?(?:的)?|这|那|楼下|门口"
    rf"|家里)(?:[台辆部家间个套栋])?(?:的)?(?:那[家台辆个间])?{_PLACE_THING}(?:里)?)"
)

BOUND_FRAMES: tuple[Pattern, ...] = (
    _p(rf"^(?P<o>[^我他她你对，]{{1,8}}?)过敏的?{S}", _P.IS_ALLERGIC_TO, _K.CONSTRAINT),
    _p(
        rf"^(?P<o>(?!{ROLE}|.{{0,2}}家)[^我他她你对，]{{1,8}}?){ME}(?:会|也|都|严重|重度|一吃就"
        rf"|一碰就)*过敏$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
    ),
    _p(
        rf"^(?:{S})?(?P<o>(?!一点|现在|真的|完全)[^我他她你不，]{{1,8}}?)(?:一律|一口|一点儿?"
        rf"|半点|一滴|都|也|绝对|完全|现在|全)+"
        r"(?:都|也)?(?:不能|不可以|不让|不许|没法|不敢|不准)(?:再)?(?:吃|碰|喝|沾|放|用|抽|进"
        r"|有)?了?$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    _p(
        rf"^(?:{S})?(?P<o>[^我他她你不，]{{1,8}}?)(?:是)?(?:碰不得|吃不得|沾不得|喝不得|吃不了"
        rf"|喝不了|碰不了)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    _p(
        rf"^(?:{S})?(?P<o>(?:{words.TIME}|每){{1,3}}(?:我)?(?:都|基本|一般|也|从来)*(?:没空"
        rf"|没时间|不在家?|不方便|不上班|有课|抽不开身"
        r"|(?:不接|没法|不能|不看).{1,8}))$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    _p(
        rf"^(?:我们?|咱们?)?(?:的)?(?:总)?(?P<o>(?:预算|房租|首付|上限|额度|限额|经费)(?:就|只"
        rf"|也就|最多|顶多|一共|卡在|控制在|压在|不能?超过|只有|是|在)*.{{0,3}}{N}.*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    _p(
        rf"^(?P<s>[^，我你他她]{{2,8}}?)?(?P<o>(?:每|一)(?:分钟|小时|天|周|月|年|次|人|个人"
        rf"|单)(?:最多|至多|顶多|只能|限|不超过|不能超过|不得超过).*{N}.*)$",
        _P.MUST,
        _K.CONSTRAINT,
        Who.ANY,
    ),
    _p(
        rf"^(?P<s>{words.GROUPS}|宿舍|图书馆|航空公司|健身房|酒店|民宿|商场|景区)(?:明确"
        rf"|严格)?(?:规定|要求|不让|不许|不准|禁止|严禁|不允许)(?!我|他|她)(?P<o>.+)$",
        _P.REQUIRES,
        _K.CONSTRAINT,
        Who.ANY,
    ),
    _p(
        r"^(?:医生|大夫|教练|营养师|律师|中医|护士|牙医|康复师)(?:说|让|叫|建议|嘱咐|叮嘱|要求"
        r"|交代|吩咐|警告)"
        r"(?P<s>我|他|她)?(?P<o>.*(?:不能|不要|别|不可|禁|忌|必须|少|得(?=[\u4e00-\u9fff])|只能"
        r"|先).+)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
)

TASTE_FRAMES: tuple[Pattern, ...] = (
    _p(
        r"^(?P<o>(?!话|这|那|客气|着急|担心|急)[^我你他她，]{1,6}?)(?:就|千万|都)?(?:别|不要"
        r"|少)(?:放|加|给|来|点|搁|撒)了?$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    _p(
        r"^(?P<o>[^你他她，]{1,10}?)(?:倒是|简直|真是|真的)*(?:多多益善|百吃不厌|百看不厌"
        r"|百听不厌|百喝不厌|怎么[吃看听喝]都不[腻够]|越多越好|是我的最爱|是我的心头好|yyds)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^(?:比起|相比|相较于|跟|和).{{1,10}}?(?:比|相比|来说)?{ME}(?:还是|更|最|比较"
        rf"|宁愿)+(?:喜欢|爱|愿意|倾向|想|偏爱|习惯)?(?P<o>.+)$",
        _P.PREFERS,
        _K.PREFERENCE,
    ),
    _p(
        rf"^(?:[^，]{{0,6}}?)(?:{S})?(?:宁可|宁愿|宁肯|情愿|巴不得天天)(?P<o>.+)$",
        _P.PREFERS,
        _K.PREFERENCE,
    ),
    _p(
        rf"^{ME}(?:最|很|特别|超级?|挺|一向|巨|贼|有点)*(?:烦|讨厌|怵|嫌弃|腻了|受够了|看不惯"
        rf"|吃不惯|喝不惯|用不惯|接受不了|看不来|欣赏不来|吃不来|忍不了|受不了|见不得|不待见|抗拒"
        rf"|排斥)"
        r"(?P<o>(?!你|了|死|人$|的|躁|恼).{2,})$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^(?P<o>[^你他她，]{{2,10}}?){ME}(?:真的?|实在|是|完全|一直|就是|都|也)*(?:看不来"
        rf"|吃不来|欣赏不来|吃不惯|喝不惯|用不惯|看不下去|受不了|接受不了|无感|不感冒|提不起兴趣"
        rf"|不感兴趣|喝不来)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^{ME}对(?P<o>.{{1,12}}?)(?:真的|实在|一直|完全|都|一点|也|是)*(?:没(?:什么|啥"
        rf"|有)?(?:兴趣|感觉|好感)|无感|不感冒|不感兴趣|提不起兴趣|没兴趣)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^{ME}对(?P<o>.{{1,12}}?)(?:真的|特别|很|非常|一直|完全|最|超|是)*(?:情有独钟|感兴趣"
        rf"|没(?:有)?抵抗力|上瘾|着迷|爱不释手|有执念)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^{ME}(?:就|都|也|好)*(?:离不开|好(?=这口|那口)|迷恋|沉迷|痴迷|钟情于?|馋|酷爱|最爱"
        rf"|就爱|偏爱|独爱|就好)(?P<o>(?!的是).{{2,}})$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    _p(
        rf"^{ME}(?:一直|平时|{words.TIME}|都|也|更|比较)*(?:习惯)(?:了|用"
        rf"|于)?(?P<o>(?!就好).{{2,}})$",
        _P.PREFERS,
        _K.PREFERENCE,
    ),
)

_CANNOT = (
    r"(?:没学会|学不会|不会|不太会|一窍不通|不行|不太行|不怎么行|不在行|很烂|不灵|很差|差得远"
    r"|不拿手|没天赋|没天分|马马虎虎|是短板|看不懂|听不懂|不熟|搞不来|做不来)"
)
_ABLE = (
    r"(?:是一把好手|很拿手|最拿手|拿手|有一套|很在行|在行|是强项|不在话下|很溜|很厉害|特别厉害"
    r"|很棒|一流|听得懂|看得懂|还不错|还可以|还行|不错|没问题)"
)
_SKILLS = (
    rf"(?:{words.SKILL_VERBS}|{words.LANGUAGES}|做饭|做菜|烘焙|修.{{1,4}}|写.{{1,4}}|画画|书法"
    rf"|摄影|唱歌|跳舞|游泳|开车|倒车|停车|滑雪|滑冰|骑车|编程|代码|数学|英语|外语|钢琴|吉他|二胡"
    rf"|小提琴|古筝"
    r"|Excel|PPT|方言|手语|棋|围棋|象棋|针线|木工|电工|焊接|演讲|沟通|谈判|记路|认路|砍价|球|篮球"
    r"|足球|羽毛球|乒乓球|网球)"
)
SKILL_FRAMES: tuple[Pattern, ...] = (
    _p(
        rf"^(?:{S})?(?P<o>(?:{_SKILLS})[^，了我]{{0,4}}?){ME.replace('<s>', '<s2>')}(?:技术"
        rf"|水平)?(?:到现在|至今|始终|一直|真的?|完全|根本|也|都|还|就|可|实在)*{_CANNOT}$",
        _P.CANNOT,
        _K.SKILL,
    ),
    _p(
        rf"^(?:{S})?(?P<o>(?:{_SKILLS})[^，了我]{{0,4}}?){ME.replace('<s>', '<s2>')}(?:技术"
        rf"|水平)?(?:真的?|也|都|还|倒是|那|可|算|很|确实)*{_ABLE}$",
        _P.CAN,
        _K.SKILL,
    ),
    _p(
        rf"^{S}(?:还|也|特别|能|会)*(?:做|烧|炒|写|弹|拉|唱|画|打)(?:的|得)一手(?:好"
        rf"|漂亮的?)?(?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    _p(
        rf"^(?:{S})?(?P<o>[^，我]{{2,8}}?(?:过了?|考过了?|考到了?|有)(?:专业|业余)?(?:{N}级"
        rf"|[四六八]级|N\d|B\d|C\d))$",
        _P.CAN,
        _K.SKILL,
    ),
    _p(
        rf"^{ME}(?:也|还|都|只|略)*(?:会|懂|能说|能讲|能听懂|认得)(?:一点点?|点儿?|些|两句|几句"
        rf"|两手|不少|多种|{N}(?:门|种|国))(?P<o>(?!意思|道理).{{1,}})$",
        _P.CAN,
        _K.SKILL,
    ),
    _p(
        rf"^{ME}(?:很|也|还|特别|比较|最)*(?:擅长|精通|熟练掌握|通晓|略懂|自学过|熟练使用|玩得转"
        rf"|熟悉)(?P<o>(?!的).{{2,}})$",
        _P.CAN,
        _K.SKILL,
    ),
)

TIE_FRAMES: tuple[Pattern, ...] = (
    _p(
        rf"^(?P<s>我|俺|咱)(?:跟|和|与|同)(?P<o>(?:{NAME}|[\u4e00-\u9fff]{{2,3}}?)(?:是|算是"
        rf"|当了.{{0,4}}年)(?:.{{0,6}})(?:发小|同学|同桌|朋友|哥们|闺蜜|同事|邻居|搭档|战友|老乡"
        rf"|夫妻|情侣|亲戚|校友|室友|双胞胎))$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    _p(
        rf"^(?P<s>他|她|{NAME})(?:的)?(?P<o>(?:{ROLE}|媳妇|爱人)(?:叫做?|名叫"
        rf"|是)(?!做)[\u4e00-\u9fffA-Za-z]{{2,6}})$",
        _P.HAS_RELATIVE,
        _K.RELATIONSHIP,
    ),
    _p(
        rf"^(?P<s>我)(?:的)?(?P<o>(?:{words.SOCIAL})(?![^，]*[了的在不很是要说去来有会病走给跟叫"
        rf"帮把让也都])[\u4e00-\u9fff]{{2,3}})$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    _p(
        rf"^(?P<s>我)?(?:的)?(?P<o>(?:{words.SOCIAL})(?:{NAME}))(?=帮|来|住|说|家|跟|和|也|都|在"
        rf"|给|今|昨|明|要|会|每|$)",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    _p(
        rf"^(?P<s>我|我们|带我)(?:的)?(?P<o>(?:{words.SOCIAL})(?:是|姓|叫)(?:{NAME}"
        rf"|[\u4e00-\u9fff])(?:教授|老师|医生|总|博士|师傅|先生|女士|经理|主任)?)$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    _p(
        rf"^(?P<s>我|咱|俺|我们)(?:家)?(?:一共|总共|还|就)?有(?P<o>(?:一"
        rf"|{N})(?:个)?(?:亲)?(?:{words.KIN}))$",
        _P.HAS_RELATIVE,
        _K.RELATIONSHIP,
    ),
    _p(
        r"^(?P<s>我们|我俩|咱俩|他们俩?|她们俩?)(?:俩)?(?:都)?是(?P<o>.{0,6}(?:双胞胎|夫妻|同学"
        r"|同事|发小|情侣|姐妹|兄弟|邻居|老乡|校友|室友|师徒|闺蜜))$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
)


def frame_of(
    plain: str,
    clause: Clause,
    scene: Scene,
    read: Callable[[str], str],
    frames: tuple[Pattern, ...],
) -> tuple[Pattern, str, str] | None:
    """The first frame that fits, its subject and its object; `read` resolves a written subject."""
    at = words.head_length(plain)
    for each in frames:
        match = each.pattern.match(plain) or (at and each.pattern.match(plain[at:])) or None
        if match is None:
            continue
        groups = match.groupdict()
        written = groups.get("s") or groups.get("s2") or ""
        if written:
            subject = read(written)
        else:
            subject = scene.carried if scene.carried and not clause.opens else scene.speaker
        if subject and match["o"].strip():
            return each, subject, match["o"]
    return None


def thing_of(written: str) -> str:
    """A thing without whose it is."""
    return re.sub(
        r"^(?:(?:我们?|咱们?|俺)(?:家)?的?|这|那|家里的?)(?:[台辆部家间个套栋])?", "", written
    )
