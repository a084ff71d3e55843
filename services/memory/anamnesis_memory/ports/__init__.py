"""The port to a store: what the memory service needs of one, whatever database is behind it.

A write is a value with a pure decision: the store loads what the write says it
wants, asks it to decide, and applies the changes it names, all in one
transaction and at one revision. So the rules of the domain are written once, and
a backend holds only loading and applying. `Stores` opens namespaces;
`NamespaceStore` is one of them, made of parts for those who need one; `Catalogue`
knows them all.
"""

from anamnesis_memory.ports.listing import Listing as Listing
from anamnesis_memory.ports.namespace import NamespaceStore as NamespaceStore
from anamnesis_memory.ports.writes import CommitStamp as CommitStamp
from anamnesis_memory.ports.writes import Committed as Committed
from anamnesis_memory.ports.writes import Decision as Decision
from anamnesis_memory.ports.writes import IdempotentAnswer as IdempotentAnswer
from anamnesis_memory.ports.writes import IndexRecord as IndexRecord
from anamnesis_memory.ports.writes import ReadSet as ReadSet
from anamnesis_memory.ports.writes import ReadView as ReadView
from anamnesis_memory.ports.writes import RequestKey as RequestKey
from anamnesis_memory.ports.writes import TopicLabel as TopicLabel
from anamnesis_memory.ports.writes import TopicMember as TopicMember
from anamnesis_memory.ports.writes import Write as Write
from anamnesis_memory.ports.writes import WriteSet as WriteSet
