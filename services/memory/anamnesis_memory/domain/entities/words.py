"""Words that stand beside names and say nothing of who is meant, in English and Chinese, folded.

Left out on purpose is what parts two things more often than not: `group`, 集团, kinship and `city`.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = {
    word: title
    for title, words in {
        "mr": "mr mister herr monsieur senor signor",
        "mrs": "mrs madame senora signora",
        "ms": "ms miss frau mx mlle",
        "dr": "dr doctor",
        "prof": "prof professor",
        "sir": "sir",
        "dame": "dame lady",
        "lord": "lord",
        "capt": "capt captain",
        "col": "col colonel",
        "maj": "maj major",
        "lt": "lt lieutenant",
        "sgt": "sgt sergeant",
        "gen": "gen general",
        "rev": "rev reverend",
        "judge": "judge justice",
        "sen": "sen senator",
        "pres": "pres president",
        "gov": "gov governor",
        "mayor": "mayor",
        "chef": "chef",
        "coach": "coach",
        "nurse": "nurse",
        "insp": "insp inspector",
        "amb": "amb ambassador",
    }.items()
    for word in words.split()
}
"""Titles before a name, and what each is short for or long for."""

DEGREES = _words("phd md esq mba cbe obe mbe dds rn msc bsc")
"""Degrees and orders, which may follow a name."""

_HAN_TITLES = _words(
    "老师 教授 副教授 讲师 博士 硕士 院士 医生 大夫 医师 护士 先生 女士 小姐 太太 "
    "夫人 总经理 副总经理 经理 副经理 项目经理 产品经理 主管 总监 总裁 副总裁 董事长 "
    "董事 主任 副主任 处长 科长 局长 部长 市长 县长 省长 镇长 村长 校长 院长 所长 组长 "
    "队长 班长 厂长 站长 店长 书记 秘书 律师 法官 警官 工程师 设计师 建筑师 会计师 "
    "会计 导演 编辑 主编 记者 教练 师傅 同学 同志 研究员 总"
)
HAN_TITLES = tuple(sorted(_HAN_TITLES, key=lambda title: (-len(title), title)))
"""Titles behind a Chinese name, the longest first."""

COMPOUND_SURNAMES = _words(
    "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 端木 夏侯 南宫 长孙 宇文 独孤"
)

FAMILIAR = frozenset("小老阿大")
"""Before a surname these make a form of address, not a full name."""

COMPANY_FORMS = _words(
    "inc incorporated llc llp ltd limited plc corp corporation co company gmbh ag kg "
    "sa sas sarl spa srl bv nv oy ab aps pty pte"
)
DOTTED_FORMS = ("l l c", "l l p", "p l c", "s a", "s p a", "s r l", "b v", "n v", "s a r l")
"""Forms of companies as they fold when they are written with dots."""

HAN_COMPANY_FORMS = (
    "股份有限责任公司",
    "股份有限公司",
    "有限责任公司",
    "有限公司",
    "股份公司",
    "公司",
)

LANDMARKS = _words("lake river mount mountain bay cape island isle fort port")
"""Words that stand before or behind the name of a place."""

LAND_SIGNS = frozenset("湖山江河海岛湾桥门寺塔园泉溪")
"""Last signs of names that may be things of nature, and not the 区 named after them."""

_COUNTRIES = (
    "afghanistan|albania|algeria|argentina|armenia|australia|austria|azerbaijan|"
    "bangladesh|belarus|belgium|bolivia|bosnia and herzegovina|brazil|bulgaria|"
    "cambodia|cameroon|canada|chile|china|colombia|costa rica|croatia|cuba|cyprus|"
    "czechia|czech republic|denmark|ecuador|egypt|england|estonia|ethiopia|finland|"
    "france|germany|ghana|greece|guatemala|hungary|iceland|india|indonesia|iran|"
    "iraq|ireland|israel|italy|jamaica|japan|jordan|kazakhstan|kenya|kuwait|latvia|"
    "lebanon|lithuania|malaysia|malta|mexico|moldova|mongolia|montenegro|morocco|"
    "myanmar|nepal|netherlands|the netherlands|new zealand|nicaragua|nigeria|"
    "north macedonia|northern ireland|norway|oman|pakistan|panama|paraguay|peru|"
    "philippines|the philippines|poland|portugal|qatar|romania|russia|saudi arabia|"
    "scotland|senegal|serbia|singapore|slovakia|slovenia|south africa|south korea|"
    "spain|sri lanka|sudan|sweden|switzerland|syria|taiwan|tanzania|thailand|"
    "tunisia|turkey|uganda|uk|ukraine|united arab emirates|united kingdom|"
    "united states|uruguay|us|usa|uzbekistan|venezuela|vietnam|wales|yemen|zambia|zimbabwe"
)
COUNTRIES = frozenset(_COUNTRIES.split("|"))
"""Countries that may stand behind a comma; not Georgia or Luxembourg, which are also others."""
