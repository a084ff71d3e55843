"""The kind of task that a segment is, by the words of its requests and by its tools.

Each kind has signal words in English and Chinese; a request counts three times what an answer
counts, and the first request twice that. The kind with the most signals wins, in the order of
`TaskType` where two have as many. Without a signal a segment with tools is `other`, and one
without is `conversation`.
"""

import re
from collections.abc import Sequence

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.describing import prose
from anamnesis_ingestion.trajectory.measures import TaskType

_FIRST_REQUEST_WEIGHT = 6
_REQUEST_WEIGHT = 3
_ANSWER_WEIGHT = 1
_DISTINCT_MAX = 3


def _signals(english: str, chinese: str) -> re.Pattern[str]:
    """English words may stand next to Chinese ones: only Latin letters and digits bound them."""
    return re.compile(rf"(?<![a-z0-9_])(?:{english})(?![a-z0-9_])|{chinese}", re.IGNORECASE)


_SIGNALS = {
    TaskType.CODING: _signals(
        r"implement|refactor|function|class|method|unit tests?|endpoint|api|script|typescript|"
        r"python|rust|golang|javascript|java|react|component|library|code|coding|regex|compile|"
        r"pull request|commit|parser|module|codebase|repo|css|html",
        r"代码|函数|实现|重构|接口|脚本|编程|单元测试|组件|模块|写个程序|类型注解",
    ),
    TaskType.DEBUGGING: _signals(
        r"bugs?|debug|errors?|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|traceback|exception|"
        r"stack ?trace|broken|fix(?:es|ed|ing)?|not working|doesn['’]t work|flaky|segfault|"
        r"throws|500|404|hangs|leak|wrong result",
        r"报错|错误|调试|崩溃|异常|修复|排查|故障|失败|出错|连不上|打不开|卡住|死机|修一下|跑不通|内存泄漏|不工作",
    ),
    TaskType.RESEARCH: _signals(
        r"research|compare|comparison|find out|look up|investigate|what is|what are|difference "
        r"between|papers?|literature|sources?|survey|explain|how does|why (?:is|are|do|does)|"
        r"search for|options for|pros and cons|alternatives",
        r"研究|调研|比较|对比|查一下|查查|了解|区别|论文|资料|解释|原理|是什么|优缺点|搜索",
    ),
    TaskType.WRITING: _signals(
        r"write (?:a|an|me|the|up)|draft|e-?mail|letter|essay|blog|post|article|rewrite|rephrase|"
        r"proofread|summar(?:y|ise|ize)|translate|translation|tone|paragraph|speech|poem|story|"
        r"cover letter|headline|caption|toast",
        r"写一(?:封|篇|段|份|首)|邮件|文章|作文|翻译|润色|改写|摘要|总结|文案|信|演讲稿|诗|标题|致辞",
    ),
    TaskType.PLANNING: _signals(
        r"plan|planning|schedule|itinerary|roadmap|agenda|trip|travel|book(?:ing)?|budget|timeline|"
        r"organi[sz]e|milestones?|calendar|menu|party|wedding|meal|training plan|packing|to-?do",
        r"计划|规划|安排|行程|日程|旅行|旅游|预算|议程|路线图|清单|预订|聚会|婚礼|里程碑|食谱",
    ),
    TaskType.DATA: _signals(
        r"csv|dataset|data ?frame|pandas|sql|query|queries|table|spreadsheet|excel|chart|plot|"
        r"histogram|average|median|statistics|regression|analy[sz]e|aggregate|rows|columns|etl|"
        r"pivot|dashboard|metrics",
        r"数据|表格|统计|查询|图表|分析|均值|平均|中位数|透视|报表|列|行数|可视化",
    ),
    TaskType.OPERATIONS: _signals(
        r"deploy(?:ment|ing|ed)?|docker|kubernetes|k8s|server|nginx|terraform|ci|pipeline|"
        r"cluster|restart|backup|restore|migrat(?:e|ion)|monitoring|ssl|certificate|dns|cron|"
        r"install|upgrade|rollback|systemd|disk|vm|ssh|logs",
        r"部署|服务器|容器|集群|重启|备份|恢复|迁移|监控|证书|域名|安装|升级|回滚|运维|磁盘|日志",
    ),
    TaskType.CONVERSATION: _signals(
        r"how are you|hello|hi|good morning|my (?:day|dog|cat|wife|husband|mum|mom|dad|friend|"
        r"birthday|weekend)|i feel|i['’]m feeling|tired|lonely|happy|sad|weekend|hobby|hobbies|"
        r"movie|film|novel|favou?rite|miss",
        r"你好|早上好|晚上好|心情|周末|开心|难过|累|朋友|爱好|电影|小说|聊聊|喜欢|想念|生日|我妈|我爸",
    ),
}


def task_type(events: Sequence[LedgerEvent]) -> TaskType:
    """Return the kind of task that the events speak of."""
    scores = dict.fromkeys(_SIGNALS, 0)
    requests = 0
    for event in events:
        weight = _weight(event, requests)
        requests += event.role is Role.USER
        for kind, pattern in _SIGNALS.items():
            scores[kind] += weight * _distinct(pattern, event) if weight else 0
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] else _without_signal(events)


def _distinct(pattern: re.Pattern[str], event: LedgerEvent) -> int:
    """Number of different signals that occur, a few at most: repeating one says nothing more."""
    return min(_DISTINCT_MAX, len(set(pattern.findall(prose(event.content).lower()))))


def _weight(event: LedgerEvent, requests_before: int) -> int:
    if event.role is Role.USER:
        return _REQUEST_WEIGHT if requests_before else _FIRST_REQUEST_WEIGHT
    return _ANSWER_WEIGHT if event.role is Role.ASSISTANT else 0


def _without_signal(events: Sequence[LedgerEvent]) -> TaskType:
    acted = any(event.tool_calls or event.role is Role.TOOL for event in events)
    return TaskType.OTHER if acted else TaskType.CONVERSATION
