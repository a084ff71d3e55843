"""What the predicate of a Chinese clause says: patterns by class, the first that fits wins.

They are matched at the beginning of what follows the subject and its adverbs.
"""

import re

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_bounds import BOUNDS
from services.ingestion.learning.local.chinese_pattern import Pattern, Who
from services.ingestion.learning.local.chinese_pattern import pattern as _p
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate

_NOT_ASKING = (
    r"(?!问|请问|知道|请你|让你|了解|确认|看看|看一下"
    r"|你|您|咨询|请教|麻烦|说|跟你|找个?|查|要你|象|起|到|法|办法|必|一下|想)"
)
_ACT = r"(?:要|会|得|必须|需要|去|来|接|带|陪|上|做|练|跑|开|值|参加|回)"
_DEED = (
    r"(?:搬|买|卖|考|拿|去|做|跑|学|换|装|丢|养|生|结|离|分|订|租|参加|完成|通过|毕|入|辞|升|转"
    r"|退|开|报|拍|看|写|读|种|爬|摔|骨|住|出|跳"
    r"|戒|瘦|胖|吃|用|领|收|修|建|办|创|组|带|陪|见|认识|遇|跟|和|在|被|把|终于|拔|打|受|得|输|赢"
    r"|中|捐|献|献|拜|游|骑|滑|潜|蹦|试|体验|教"
    r"|带|录|发表|出版|签|付|还清|存|花|贷|挂|进|回|到|飞|坐|开始|加入|离开|提|交|请|请了|怀|流"
    r"|手术|住院|绝育|走失|搞|弄|自学)"
)

PATTERNS: tuple[Pattern, ...] = (
    *BOUNDS,
    # abilities
    _p(
        r"^(?:完全|根本|一点都?|还|也|都|从来)*(?:不(?:太|怎么|大)?会|没学过|不懂|学不会)(?:看|说"
        r"|用)?(?P<o>.+)$",
        _P.CANNOT,
        _K.SKILL,
        bare=False,
        confidence=0.8,
    ),
    _p(
        r"^(?:完全|根本|一点都?|还|也)*(?:不(?:太|怎么|大)?会|不懂|看不懂|听不懂)(?P<o>.*)$",
        _P.CANNOT,
        _K.SKILL,
        confidence=0.75,
    ),
    _p(
        (
            rf"^(?:也|还|都|只)*(?:会(?:一点(?:儿)?|一些|几句|点)?|能)(?P<o>(?:{words.SKILL_VERBS}"
            rf"|{words.LANGUAGES}).*)$"
        ),
        _P.CAN,
        _K.SKILL,
        confidence=0.8,
    ),
    _p(
        r"^(?:很|比较|最|特别|还)*(?:擅长|精通|熟悉|熟练掌握|掌握|拿手|通晓|略懂|懂(?:一点)?"
        r"|学过)(?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
        confidence=0.8,
    ),
    _p(
        rf"^(?P<o>(?:{words.LANGUAGES})(?:是|过了|达到|水平|只有|能|说得|讲得|不错|流利|一般"
        rf"|还行).*)$",
        _P.SPEAKS,
        _K.SKILL,
        bare=True,
        confidence=0.75,
    ),
    # decisions and findings
    _p(
        (
            r"^(?:已经|最后|最终|一致|还是|刚刚?|终于|都)*(?:决定|选定|敲定|拍板|商定|定下来"
            r"|确定用|决定用|选了|改用|定了|定在|采用|商量好"
            r"|下定决心)(?:了|要|在)?(?P<o>.+)$"
        ),
        _P.DECIDED,
        _K.DECISION,
        Who.ANY,
        bare=True,
        confidence=0.8,
        dated=True,
    ),
    _p(
        r"^(?:最后|最终|还是|一致|那)*(?:就)?(?P<o>(?:用|选|走|上|买|订).{1,20}(?:了|方案|版本"
        r"|不改了|定了))$",
        _P.DECIDED,
        _K.DECISION,
        Who.SPEAKER,
        confidence=0.65,
        dated=True,
    ),
    _p(
        (
            r"^(?:我|我们)?(?:这才|才|今天|刚刚?|终于|最后|后来|排查|查了.{0,5}|测试)*(?:发现"
            r"|搞清楚|搞明白|弄清楚|弄明白|查明|查出"
            r"|查出来|意识到|才知道|定位到|确认)(?:了|是|到)?(?P<o>.{4,})$"
        ),
        _P.DISCOVERED,
        _K.DISCOVERY,
        Who.ANY,
        bare=True,
        confidence=0.8,
        dated=True,
    ),
    _p(
        r"^(?P<o>.{0,15}(?:是因为|的原因是|的根源是|的问题出在|原因在于).+)$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        Who.ANY,
        bare=True,
        confidence=0.75,
        dated=True,
    ),
    # aims
    _p(
        (
            r"^(?:一直|很|正|正在|也|就|都|还|特别|最近|真的)*(?:打算|计划|准备|争取|立志|想要"
            r"|梦想|希望能?|力争|决心|目标是|盼着|在备考|备考"
            r"|在攒钱|攒钱)(?P<o>(?!你|您|请).+)$"
        ),
        _P.PLANS,
        _K.GOAL,
        bare=True,
        confidence=0.8,
        dated=True,
    ),
    _p(
        rf"^(?:一直|很|也|就|都|还|特别|真的)*想(?P<o>{_NOT_ASKING}.{{2,}})$",
        _P.WANTS,
        _K.GOAL,
        bare=True,
        confidence=0.7,
        dated=True,
    ),
    # who somebody is
    _p(
        r"^(?:现在|目前|就|都|还|平时|常年|长期|一直|独自|一个人)*住(?:在|的是)?(?P<o>(?!的|院|过"
        r"|了).+)$",
        _P.LIVES_IN,
        _K.IDENTITY,
        confidence=0.85,
    ),
    _p(
        r"^(?:现在|目前|就|都|还)*(?:在|于)(?P<o>.{1,20}?)(?:定居|生活|居住)",
        _P.LIVES_IN,
        _K.IDENTITY,
        confidence=0.85,
    ),
    _p(
        (
            r"^(?:现在|目前|就|都|还|主要)*在(?P<o>.{1,25}?(?:工作|上班|任职|实习|当.+|做.+"
            r"|开.{0,6}(?:店|馆|公司|诊所|厂"
            r"|餐厅|民宿|工作室|诊所|超市)|教.+|读.+|念.+|上(?:小学|初中|高中|大学|幼儿园|学).*))$"
        ),
        _P.WORKS_AT,
        _K.IDENTITY,
        confidence=0.8,
    ),
    _p(
        (
            r"^(?:现在|目前|就|正在?|还)*(?:在)?(?:读|念|上)(?P<o>(?:小学|初中|高中|大学|幼儿园"
            r"|研究生|研一|研二|研三|博士|硕士"
            r"|大[一二三四]|[初高][一二三]|[一二三四五六]年级|中班|大班|小班).*)$"
        ),
        _P.STUDIES,
        _K.IDENTITY,
        confidence=0.85,
    ),
    _p(
        r"^(?:本科|大学|研究生|硕士|博士|当年|以前)*(?:学|读|念|主修)的(?:专业)?是(?P<o>.+)$",
        _P.STUDIES,
        _K.EXPERIENCE,
        confidence=0.8,
    ),
    _p(
        (
            r"^(?:现在|目前|主要|一直|后来|才|转行|改行|是)*(?:做|当|干|从事|担任|负责|转行做"
            r"|转做|是做|是搞)(?P<o>(?!了|过|完|什么|得"
            r"|不|个|好|饭).{2,20}?)(?:的|工作|的工作)?$"
        ),
        _P.WORKS_AS,
        _K.IDENTITY,
        confidence=0.75,
    ),
    _p(
        r"^(?P<o>(?:家|住的地方|住处)?离.{1,10}(?:公里|分钟|小时|站地?|米|里地).{0,12})$",
        _P.LIVES_IN,
        _K.IDENTITY,
        confidence=0.75,
    ),
    _p(
        r"^(?:老家|祖籍|家乡)?(?:来自|老家(?:是|在)|祖籍|出生(?:在|于)|生在|籍贯)(?P<o>.+)$",
        _P.IS_FROM,
        _K.IDENTITY,
        confidence=0.85,
    ),
    _p(
        r"^(?:今年|刚满?|快|已经|都|才|马上)*(?P<o>(?:\d{1,3}|[一二三四五六七八九十]{1,3}"
        r"|两)(?:周?岁|个月大)(?:半|多|了)?)$",
        _P.IS_AGED,
        _K.IDENTITY,
        confidence=0.85,
    ),
    _p(
        r"^(?P<o>(?:属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|排行老?.{1,3}|单身|已婚|离异|未婚|丁克|退休了?"
        r"|怀孕了?|是独生(?:子|女)|已经退休).{0,10})$",
        _P.IS,
        _K.IDENTITY,
        confidence=0.8,
    ),
    _p(
        r"^(?P<o>体重.{0,3}[\d.]+.*|身高.{0,3}[\d.]+.*)$",
        _P.HAS_PROPERTY,
        _K.OTHER,
        confidence=0.75,
    ),
    _p(r"^(?:嫁|娶|入赘)(?:到|去|给|了)?(?P<o>.+)$", _P.LIVES_IN, _K.IDENTITY, confidence=0.75),
    _p(
        (
            r"^(?:家里?|家中)?(?:一共|总共)?(?:有|养了?|养着)(?P<o>(?!.{0,3}(?:问题|疑问|建议"
            r"|想法|事|需求|请求|报错|错误|好消息|办法|印象))(?:[一两三四五六七八九十\d]|个|只"
            r"|条)(?:个|只|条|匹|位|名|对"
            r"|辆|套|台)?.{1,15})$"
        ),
        _P.HAS,
        _K.IDENTITY,
        confidence=0.75,
    ),
    _p(
        (
            r"^(?:就|也|都|其实|才|现在|目前)*是(?:一?[个名位])?(?P<o>(?!不是|因为|的$|这|那|想"
            r"|为了|说|谁|什么|怎|要|否|真的"
            r"|第).{2,24})$"
        ),
        _P.IS,
        _K.IDENTITY,
        Who.PERSON,
        confidence=0.7,
    ),
    # what happened
    _p(
        r"^(?:从(?P<f>.{1,10}?))?(?:搬|迁)(?:家)?(?:到|去|来|回|进)(?:了)?(?P<o>.+)$",
        _P.MOVED_TO,
        _K.EXPERIENCE,
        confidence=0.85,
        dated=True,
    ),
    _p(
        r"^(?P<o>(?:走了|去世|过世|病逝|离世|出生|生了|结婚|订婚|离婚|退休|毕业|住院|出院|搬走"
        r"|失业|怀孕|确诊|升职|分手|考上|开学|要生).{0,15})$",
        _P.HAPPENED,
        _K.EVENT,
        confidence=0.75,
        dated=True,
    ),
)

STANDING = re.compile(r"(?:以后|今后|从今往后|从现在起|往后|下次(?:开始)?|一律|统一|始终|永远)")
"""Words that make an order to the agent a lasting wish."""
WISH = re.compile(
    r"^(?:以后|今后|从今往后|从现在起|往后|下次(?:开始)?|默认|请|麻烦|都|再|给我|跟我|回答|回复"
    r"|推荐|写|的时候|时|里|\w{0,8}?(?=一律|统一|请"
    r"|尽量|不要|别|必须|始终|避开|永远|都))*"
    r"(?P<o>(?!.{0,2}避开$)(?:(?:请|都|一律|统一|始终|尽量|永远|必须|务必|不要|别|不用|避开|用|先"
    r"|只|直接|默认).{1,40}))$"
)
PAST = re.compile(
    rf"^(?:还|也|都|就|刚刚?|终于|总算|已经|第[一二三四五六\d]次|又|一起|自己|亲自|带.{{1,4}}"
    rf"|跟.{{1,6}}"
    rf"|和.{{1,6}})*(?P<o>{_DEED}.*(?:了|过|完).*|第一次.{{2,}}|自学.+|干了.+"
    rf"|{_DEED}.{{0,10}}到.{{2,}})$"
)
AS_TOLD = re.compile(
    r"^(?P<o>(?:在|跟|和|坐|从|带|自己|一个人).{0,24}(?:一起)?(?:过|去|来|吃|买|看|学|拍|认识"
    r"|结婚|生|长大|毕业|搬来)的)$"
)
SKILL_TOPIC = re.compile(
    rf"^(?P<o>.{{1,10}}?)(?:完全|根本|一点(?:都|也)|也|还|都|就)*(?:不会|不懂|不太会|不行|看不懂"
    rf"|听不懂)(?:{words.SKILL_VERBS})?$"
)
HABIT = re.compile(r"^(?P<o>(?!了|不|要|得|都不).{2,20})$")
SOON = re.compile(
    r"^(?P<o>(?:入职|出发|搬家?|考试|结婚|开会|手术|出差|出国|飞|去|回|到|放假|开学|毕业|生日"
    r"|面试|交房|答辩|体检|复查|值班|休假|办婚礼).{0,20})$"
)
FUTURE = re.compile(r"明天|后天|明年|后年|下(?:个)?(?:周|星期|礼拜|月|学期)|月底|年底")
CHORES = re.compile(
    r"代码|测试|脚本|日志|命令|文件|接口|[Bb]ug|分支|报错|配置|页面|编译|部署|提交|合并|镜像|仓库"
    r"|截图|链接|数据库|服务器"
)
COMING = re.compile(r"^(?:就|也|都|还|可能)*(?:要|会|将|打算|准备|计划)(?P<o>.{2,})$")
SPECIFIC = re.compile(r"\d|[A-Z][A-Za-z]|[\w-]+\.\w+")
