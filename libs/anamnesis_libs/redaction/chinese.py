"""People with Chinese names: words that a tagger takes for names and that begin with a surname."""

import re
from collections.abc import Iterator, Sequence

import rjieba

from anamnesis_libs.redaction.wordlist import words

_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧肖田董袁潘于蒋蔡余杜叶程苏"
    "魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付傅方白邹孟熊秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚"
    "邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝"
    "包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷曲盛冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳"
    "时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑党宫景席桑苑"
)
_TRADITIONAL = (
    "張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧蕭蔣餘葉蘇魏盧薑鍾譚陸範賈韋鄒閻龍陶賀顧龔邵萬錢"
    "嚴齊喬龐顏莊聶魯嶽關蘭寧"
)
_DOUBLE_SURNAMES = (
    "欧阳",
    "上官",
    "司马",
    "诸葛",
    "皇甫",
    "司徒",
    "慕容",
    "东方",
    "夏侯",
    "令狐",
    "尉迟",
    "公孙",
)
_ALL_SURNAMES = _SURNAMES | frozenset(_TRADITIONAL)
_NO_NAMES = words(
    """
    孙子 孙女 岳父 岳母 叶子 林子 孔雀 柯基 孟婆 马来 宁可 宁肯 丁克 段子 范文
    周知 谢谢您 文科生 钟爱 白屏
    谢谢 白杨 高山 黄金 马上 高大 周期 周末 安全 安装 安排 方法 方便 万一 单元
    成功 成本 时间 路径 管理 包装 包括 关于 关系 任务 任何 文件 文档 文明 明文
    向量 向导 左右 连接 连续 项目 简单 温度 马达 金额 金融 石头 江南 田野 白天
    华为 李宁 长安 张家口 康复 高峰 常见 于是 高速 黄山 毛病 何时 何必 游戏 向上
    白色 蓝色 黄色 雷达 龙井 麦片 苏打 宁波 温州
    """
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ROLE = re.compile(
    r"(?:联系人|姓名|患者|病人|客户|负责人|提交人|申请人|作者|同事|朋友|老师|医生|经理"
    r"|我叫|我是|名叫|叫做|是)[\"”：:\s]{0,3}[\"“]?$"
)
_TITLED = re.compile(
    r"(?:先生|女士|小姐|老师|经理|医生|教授|博士|律师|同学|师傅|主任|总监?|工(?!作|具|程|单|资))"
)
_ROLE_CHARS = 10
_NAME_CHARS = range(2, 5)

Word = tuple[str, str]


class Chinese:
    """Finds people with Chinese names."""

    def __init__(self) -> None:
        rjieba.tag("张伟")  # loads its dictionary

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where people are named."""
        for run in _HAN.finditer(text):
            tagged = rjieba.tag(run[0])
            start = run.start()
            skipped = 0
            for place, (word, _) in enumerate(tagged):
                if skipped <= 0:
                    skipped = length = self._name_chars(text, start, tagged[place : place + 2])
                    if length:
                        yield start, start + length
                start += len(word)
                skipped -= len(word)

    def _name_chars(self, text: str, start: int, tagged: Sequence[Word]) -> int:
        """Number of characters from here on that are a name; 0 if there is none."""
        word, kind = tagged[0]
        following, kind_after = tagged[1] if len(tagged) > 1 else ("", "")
        if word in _DOUBLE_SURNAMES and len(following) <= 2:
            return len(word) + len(following)
        if kind.startswith("nr") and _is_name(word):
            return len(word)
        if len(word) == 1 and word in _ALL_SURNAMES and len(following) <= 2:
            if kind_after.startswith("nr") and following:
                return 1 + len(following)
            if following and _ROLE.search(text[max(0, start - _ROLE_CHARS) : start]):
                return 1 + len(following)
            if _TITLED.match(text, start + 1):
                return 1
        return 0


def _is_name(word: str) -> bool:
    """True if a word tagged as a name is a surname and one or two characters more."""
    if word in _NO_NAMES or len(word) not in _NAME_CHARS:
        return False
    if word.startswith(_DOUBLE_SURNAMES):
        return True
    return word[0] in _ALL_SURNAMES and len(word) < _NAME_CHARS.stop - 1
