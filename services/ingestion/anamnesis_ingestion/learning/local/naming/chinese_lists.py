"""Chinese words that end names, that are none, and that stand beside names."""

import re

from anamnesis_ingestion.learning.chinese.vocabulary import alternation
from anamnesis_ingestion.learning.knowledge import EntityKind

_K = EntityKind
KIN, SOCIAL, PET = alternation("relatives"), alternation("social"), alternation("pets")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FORMS = {
    _K.ORGANISATION: _words(
        "公司 集团 大学 学院 中学 小学 附属中学 附属小学 附中 银行 医院 人民医院 研究院 研究所"
        " 基金会 协会 学会 组织 委员会 出版社 报社 俱乐部 事务所 工作室 实验室 博物馆 图书馆"
        " 美术馆 酒店 餐厅 书店 咖啡馆 电视台 幼儿园 乐队 联盟 有限公司 科技公司 商会 总局 社区"
    ),
    _K.EVENT: _words(
        "大会 峰会 马拉松 音乐节 电影节 艺术节 博览会 运动会 锦标赛 奥运会 世界杯 论坛 联赛"
        " 黑客松 文化节"
    ),
    _K.PLACE: _words("机场 火车站 公园 广场 古镇 大桥 体育馆 体育场 古城 小区 国家公园 水库"),
    _K.PROJECT: _words("项目 计划 工程"),
}
"""Words that end a name, by what the name stands for."""

WEAK_FORMS = _words(
    "公司 医院 餐厅 酒店 学校 幼儿园 机场 火车站 公园 广场 社区 小区 俱乐部 图书馆 博物馆"
)
"""Behind a place alone these make no name: a company in Chengdu."""

SOCIETIES = _words("基金会 协会 学会 组织 委员会 联盟 商会 大会 峰会 音乐节 电影节 论坛")
"""Before these a noun of every day may be a name: 绿洲基金会."""

GENERIC = _words(
    "互联网 科技 软件 外企 国企 私企 上市 创业 游戏 广告 贸易 物流 保险 外贸 大型 小型 国际 国内"
    " 慈善 志愿者 公益 学生 行业 家长 产品 技术 用户 开发者 年度 股东 全体 职工 社会 社团 政府"
    " 民间 犯罪 恐怖 数据 后端 前端 开源 研究 课程 毕业 合作 装修 建设 软件 工作 学习 旅行 旅游"
    " 健身 减肥 训练 教学 项目 团队 部门 老板 客户 同事 朋友 大学 中学 小学 公司 学校 新 旧 大 小"
    " 老 我家 一家 这家 那家 本 该 各 商业 投资 人民 儿童 妇女 中心 附近 城市 市 省 县 地方 周末"
    " 今年 去年 明年 下周 上周 综合 专科 综合性 宠物 动物 中医 口腔 牙科 整形 妇产 网络 信息 电子"
    " 医药 汽车 房地产 建筑 装饰 设计 咨询 教育 培训 文化"
)
"""Nouns that say what kind of thing it is, and not which."""

INNER = _words(
    "科技 网络 信息 软件 教育 文化 汽车 电子 医药 建筑 装饰 设计 咨询 贸易 物流 保险 投资 实业"
    " 传媒 技术 数据 国际 人民 中心 综合 股份 有限"
)
"""Words that may stand between a name and its form: 青禾科技公司."""

NO_PLACES = _words(
    "日志 国内 国外 海外 老家 家乡 东方 西方 南方 北方 东部 西部 南部 北部 城东 城西 城南 城北"
    " 地方 华人 中东 东西 花园 海边 市区 郊区 城里 乡下 农村 公园 会馆 天下 太阳 月亮 吉他 海鲜"
    " 礼拜 中西 大陆 内地 本地 当地 世界 宇宙 天堂"
)
"""Words that the tagger takes for places, and nobody would look for."""

BEFORE_PLACES = _words(
    "在 到 去 去过 从 来自 住 住在 往 回 飞 离 于 搬 搬到 来 来到 飞往 前往 抵达 经 经过 路过"
    " 途经 出差 喜欢 爱 逛 游 爬 爬过 离开 和 跟 与 及 或 是 回到 去了 老家 家乡 定居 位于 附近"
    " 看 想 通过 靠近 游览 攀登"
)
"""Words that stand before a place, if it is told as one."""

NO_NAMES = _words(
    "过敏 毛过敏 汤圆 柴犬 高雄 台湾 小明 谢谢 高兴 安静 明明 天天 多多 宝宝 宝贝 老师 老板 同学"
    " 小姐 先生 女士 华为 小米 白天 周末 周一 周二 周三 周四 周五 周六 周日 周围 方案 方面 方式"
    " 经理 高中 高考 江湖 温暖 文化 文章 和平 常常 常用 时候 时光 童年 成长 成熟 关键 关心 关注"
    " 明天 程序 程度 段时间 金融 金钱 任性 许多 毛衣 毛巾 应聘 应用 包子 黄瓜 白菜 白酒 红茶 贺卡"
    " 费用 严重 严格 严肃 全部 全家 全面 全新 广告 于此 马路 马虎 牛奶 牛肉"
)
"""Words that the tagger takes for people."""

BEFORE = (
    (_K.PERSON, rf"(?:{KIN}|{SOCIAL}|{PET})(?:是|叫做?|名叫|：)?\s*$|(?:名叫|我叫|她叫|他叫)\s*$"),
    (_K.PERSON, r"(?:告诉了?|问了?|约了?|感谢|邀请了?|采访了?|通知了?|提醒了?)\s*$"),
    (_K.PROJECT, r"(?:项目|仓库|代号|产品)(?:是|叫做?|名为)?\s*$"),
    (_K.AGENT, r"(?:助手|机器人|智能体)(?:是|叫做?|名叫)?\s*$"),
    (
        _K.ORGANISATION,
        r"(?:加入了?|入职了?|任职于|就职于|供职于|创办了?|创立了?|收购了?|跳槽到)\s*$",
    ),
    (_K.PLACE, r"(?:搬到了?|搬去了?|住在|来到|飞往|前往|飞到|抵达|出差到|定居|来自)\s*$"),
    (
        _K.TECHNOLOGY,
        r"(?:使用了?|用的是|采用了?|基于|部署在|迁移到了?|切换到了?|升级到了?|换成了?|改用|改成|集成了?"
        r"|安装了?|引入了?|用了?|换到|学习|学|写|跑在)\s*$",
    ),
)
AFTER = (
    (
        _K.PERSON,
        rf"\s*(?:说|告诉|问|觉得|认为|提到|建议|推荐|表示|负责|先生|女士|老师|教授|同学|也同意|指出|回复"
        rf"|和我|跟我|是我的?(?:{KIN}|{SOCIAL}))",
    ),
    (_K.PERSON, r"\s*(?:一起)?(?:聊|讨论|商量|见面|见了面|吵|谈|通电话|确认了)"),
    (
        _K.ORGANISATION,
        r"\s*(?:公司|集团|大学|学院|银行|医院|研究院|实验室|团队(?=的|在|负责|开发))",
    ),
    (_K.PROJECT, r"\s*(?:项目|工程|仓库|代码库)"),
    (
        _K.TECHNOLOGY,
        r"\s*(?:框架|数据库|库|语言|集群|插件|容器|脚本|编译器|接口|中间件|引擎|缓存|写的|工具包)",
    ),
    (_K.AGENT, r"\s*(?:助手|机器人|智能体)"),
    (_K.EVENT, r"\s*(?:大会|峰会|会议|音乐节|马拉松)"),
    (_K.PLACE, r"\s*(?:市|省|出差|旅游|旅行|机场)"),
)
_COMPILED_BEFORE = [(kind, re.compile(pattern)) for kind, pattern in BEFORE]
_COMPILED_AFTER = [(kind, re.compile(pattern)) for kind, pattern in AFTER]
_EMPLOYED = re.compile(r"在\s*$")
_EMPLOYS = re.compile(
    r"\s*(?:工作|上班|实习|任职|做[\u3400-\u9fff]{0,8}(?:工程师|经理|开发|设计|运营))"
)
_CHARS = 14


def kind_beside(text: str, start: int, end: int) -> EntityKind:
    """The kind that Chinese words beside a name tell; UNKNOWN if they tell none."""
    before, after = text[max(0, start - _CHARS) : start], text[end : end + _CHARS]
    if _EMPLOYED.search(before) and _EMPLOYS.match(after):
        return _K.ORGANISATION
    for kind, pattern in _COMPILED_AFTER:
        if pattern.match(after):
            return kind
    return next((kind for kind, cue in _COMPILED_BEFORE if cue.search(before)), _K.UNKNOWN)
