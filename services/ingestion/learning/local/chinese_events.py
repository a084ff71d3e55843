"""Chinese frames of what is decided, found out, aimed at or to happen; of people and things."""

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import chinese_words as words
from services.ingestion.learning.local.chinese_frames import ME, NAME, ROLE, THING, N, S
from services.ingestion.learning.local.chinese_pattern import Pattern, Who
from services.ingestion.learning.local.chinese_pattern import pattern as _p
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate
_SCHEDULE = (
    r"(?:复查|体检|手术|做手术|考试|面试|开会|答辩|出差|值班|上课|相亲|搬家|结婚|领证|飞|出发"
    r"|出国|开学|入职|报到|聚餐|聚会|产检|拔牙|打疫苗|办.{1,4}证|看牙|接机|搬|参加|签约|交房|开庭"
    r"|演出|比赛)"
)
_BEFALL = (
    r"(?:开(?:家长会|会|庭|盘|业|张|工|学|放|幕)|办|举办|举行|停[水电气课运产]|搬|拆|放假|上线"
    r"|关门|关店|截止|到期|维修|检修|装修|开始|结束|涨|发布|入住|交房|考试|体检|毕业|回来|回国"
    r"|结婚"
    r"|订婚|生(?!气|活|病了)|做.{0,6}手术|手术|出院|住院|出发|离婚|退休|去世|过世|走的|走了|没了"
    r"|满月|过生日|来(?:看|我|家)|倒闭|裁员|发工资|团建|换)"
)

EVENT_FRAMES: tuple[Pattern, ...] = (
    # decisions
    _p(
        r"^(?:最后|最终|思来想去|想来想去|纠结.{0,8}|到头来)(?:我们?|咱们?)?(?:还是|就|决定"
        r"|都)*(?:选|定|挑|买|要|用|订|留)(?:了|的是)?(?P<o>.{2,})$",
        _P.DECIDED,
        _K.DECISION,
        dated=True,
    ),
    _p(
        rf"^{ME}把(?P<o>.{{1,14}}?(?:给)?(?:拒|推|退|回绝|辞|取消|换成|改成|砍)(?:了|掉|掉了).*)$",
        _P.DECIDED,
        _K.DECISION,
        dated=True,
    ),
    _p(
        rf"^(?:{S}|(?P<s2>{words.GROUPS}))?(?:后来|最后|现在|都|已经|决定)*改(?:成|为|用"
        rf"|走)了?(?P<o>(?!什么).{{2,}})$",
        _P.DECIDED,
        _K.DECISION,
        Who.ANY,
        dated=True,
    ),
    _p(
        rf"^(?P<s>(?:{words.GROUPS}|全家|大家|我们|我)(?:[和跟].{{1,3}})?)?(?:和"
        rf"|跟)?(?:{ROLE})?(?:一致|都|全票|最后|最终)*(?:同意|投票通过|投票决定|敲定|拍板"
        rf"|拍板决定|表决通过)(?:了|让|把)?(?P<o>.{{2,}})$",
        _P.DECIDED,
        _K.DECISION,
        Who.ANY,
        dated=True,
    ),
    _p(
        r"^(?P<o>[^，我你他她]{1,8}?(?:就|最后|最终)?(?:定在|选在|定为|定成)了?.{2,})$",
        _P.DECIDED,
        _K.DECISION,
        dated=True,
    ),
    # findings
    _p(
        r"^(?:我说呢|闹了半天|搞了半天|结果|敢情)?原来(?P<o>(?!如此|这样|是这样|这么回事"
        r"|你).{4,})$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    _p(
        r"^(?P<o>(?:问题|毛病|原因|根源|症结|罪魁祸首)(?:其实|最后|原来|果然|就)*(?:出在|在于"
        r"|是出在).{2,})$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    _p(
        r"^(?:体检|检查|化验|复查|B超|拍片)(?:的时候|结果)?(?:查|检查|发现)?(?:出来?|出了|显示"
        r"|说)(?:是|有|我)*(?P<o>.{2,})$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    # what is to happen, and what befell
    _p(
        rf"^(?:{words.TIME})+(?P<s>(?:我们|我)?(?:{words.GROUPS}|{ROLE}))(?:就|也|又|刚)?(?:要"
        rf"|会)?(?P<o>{_BEFALL}.*)$",
        _P.WILL_HAPPEN,
        _K.EVENT,
        Who.ANY,
        dated=True,
    ),
    _p(
        rf"^(?:{words.TIME})+{ME}(?:就|也|还)?要?(?:去|到|来|得去)?(?P<o>(?!{words.GROUPS}"
        rf"|{ROLE})[^我你他她]{{0,8}}?{_SCHEDULE}.{{0,10}})$",
        _P.WILL_HAPPEN,
        _K.EVENT,
        dated=True,
    ),
    _p(
        rf"^{ME}(?:要|去|会)*当(?P<o>伴[娘郎]|主持人?|评委|证婚人|志愿者)$",
        _P.WILL_HAPPEN,
        _K.EVENT,
    ),
    _p(
        rf"^(?:{words.TIME})*(?:{S}|(?P<s2>(?!我|你|他|她|这|那|有|大家|今年|明年"
        rf"|[^，]{{0,4}}(?:所以|打算|准备|计划|想|要|因为|但|可能|决定|才"
        rf"|就))[\u4e00-\u9fff]{{2,6}}?))(?:{words.TIME})+(?:就|也|又|刚)?(?:要"
        rf"|会)?(?P<o>{_BEFALL}.*)$",
        _P.WILL_HAPPEN,
        _K.EVENT,
        Who.ANY,
        dated=True,
    ),
    _p(
        rf"^(?:{words.TIME})+{ME}(?P<o>[\u4e00-\u9fff]{{0,4}}被.{{0,8}}[偷抢裁砸淹撞拆骗咬拒罚扣"
        rf"炒封解开].*)$",
        _P.HAPPENED,
        _K.EVENT,
        dated=True,
    ),
    _p(
        rf"^{S}(?:都|也|还|曾经?|以前)*(?P<o>被.{{1,12}}[骗坑偷抢咬裁罚淹撞砸][了过].*)$",
        _P.DID,
        _K.EXPERIENCE,
        dated=True,
    ),
    # aims
    _p(
        rf"^{S}(?:从小|一直|就|很|特别|真的)*(?:一心|铁了心|做梦都)(?:要|想)(?P<o>.{{2,}})$",
        _P.WANTS,
        _K.GOAL,
    ),
    _p(
        rf"^(?:{S})?(?:的)?(?:最大的|今年的?|明年的?|人生|小|终极|长期|短期|新年|一个)*(?:目标"
        rf"|梦想|心愿|愿望|理想|计划|flag)(?:就)?是(?P<o>(?!什么).{{2,}})$",
        _P.WANTS,
        _K.GOAL,
    ),
    _p(
        rf"^{ME}(?:正|还|最近)?(?:在)(?P<o>(?:攒钱|存钱|备考|备战|减肥|减脂|备孕|冲刺|考研"
        rf"|准备考).*)$",
        _P.PLANS,
        _K.GOAL,
    ),
    # who somebody is
    _p(
        r"^(?P<s>我|咱|俺|本人|我们)(?:是|就是)?(?P<o>(?!好|坏|的|一个|大|老|新|什么"
        r"|个)[\u4e00-\u9fff]{2,4}人)$",
        _P.IS_FROM,
        _K.IDENTITY,
    ),
    _p(
        rf"^{ME}(?:现在|目前|一个人|常年|独自)*在(?P<o>[^，]{{2,8}}?)(?:漂着?|打拼|混|扎根|定居"
        rf"|安家|养老|落脚|租房)",
        _P.LIVES_IN,
        _K.IDENTITY,
    ),
    _p(rf"^{ME}(?:今年|马上|快|刚满?|已经)+(?P<o>{N})(?:岁)?了?$", _P.IS_AGED, _K.IDENTITY),
    _p(
        rf"^{ME}(?:是|属于)?(?P<o>(?:一个|个)?(?:左撇子|色弱|色盲|离异|离婚|单身|已婚|未婚"
        rf"|独生子女?|独生女|丁克|素食者|社恐|社牛|孕妇|二胎妈妈|单亲妈妈|单亲爸爸|家庭主妇"
        rf"|全职妈妈|自由职业|退休|老幺|长子|次子|独居|近视|高度近视|无神论者|穆斯林|佛教徒"
        rf"|基督徒|回族))(?:了|的)?$",
        _P.IS,
        _K.IDENTITY,
    ),
    _p(
        rf"^{S}(?:名下|手里|手上|家里?|老家)?(?:还|一共|现在)?(?:有|养了?|养着)(?P<o>{N}(?:辆|套"
        rf"|只|条|头|匹|台|间|栋|亩|家).+)$",
        _P.OWNS,
        _K.IDENTITY,
    ),
    _p(
        rf"^{ME}(?P<o>(?:吃|是)(?:全|纯|奶蛋|长)?素.*)$",
        _P.IS,
        _K.IDENTITY,
    ),
    _p(
        rf"^{ME}(?:现在|目前)?(?:是|就是)?(?:念|学|读|搞|干|做|教|跑|卖)(?P<o>(?!什么|我|你|过|了"
        rf"|这|那).{{2,8}})的$",
        _P.WORKS_AS,
        _K.IDENTITY,
    ),
    _p(
        rf"^(?P<s>{NAME})(?:现在|主要)?(?:负责|主管|分管|带|管)(?P<o>(?!了|过|着|我|你).{{2,14}})$",
        _P.WORKS_ON,
        _K.IDENTITY,
    ),
    _p(
        rf"^(?P<s>他|她|{ROLE}|师傅)?(?:是|就是)(?P<o>.{{1,8}}(?:工|师|员|长|家|手|医生|护士|老师"
        rf"|教授|老板|经理|司机|厨子))$",
        _P.WORKS_AS,
        _K.IDENTITY,
    ),
)

THING_FRAMES: tuple[Pattern, ...] = (
    _p(
        rf"^{THING}(?:是|都|还|也)*(?P<o>(?:朝[东南西北].*|漏[水电油气].*|有点.{{1,6}}|不营业.*"
        rf"|周.{{1,4}}(?:不营业|休息|关门).*|{words.TIME}+(?:不营业|休息|关门|开门|闭馆).*"
        rf"|不支持.+"
        rf"|只支持.+|不能.{{2,}}|没(?:有)?(?!人|问题|事|空)[\u4e00-\u9fff]{{1,6}}|(?:一共"
        rf"|总共)?有{N}.+|是.{{0,6}}(?:款|年|寸|升|平|匹|层).*))$",
        _P.HAS_PROPERTY,
        _K.OTHER,
        Who.THING,
    ),
    _p(
        r"^(?P<s>(?!我|你|他|她|这|那|问题|原因)[\u4e00-\u9fffA-Za-z]{2,8}(?:环境|系统|平台"
        r"|服务|数据库|资料库|机房|服务器|网站|任务"
        r"|备份))(?:的[\u4e00-\u9fff]{2,5})?(?P<o>(?:每[天周月晚年].{2,}|(?:用的?是|跑在"
        r"|部署在|是|在).*[\dA-Za-z].*))$",
        _P.HAS_PROPERTY,
        _K.OTHER,
        Who.THING,
    ),
)
