"""What the memory service needs from a store, whatever database is behind it.

A write is a value with a pure decision: the store loads what the write says it
wants, asks it to decide, and applies the changes it names, all in one
transaction and at one revision. So the rules of the domain are written once, and
a backend holds only loading and applying. `Stores` opens namespaces;
`NamespaceStore` is one of them; `Catalogue` knows them all.
"""

from services.memory.ports.namespace import Listing as Listing
from services.memory.ports.namespace import NamespaceStore as NamespaceStore
from services.memory.ports.writes import Committed as Committed
from services.memory.ports.writes import Decision as Decision
from services.memory.ports.writes import Edits as Edits
from services.memory.ports.writes import IndexRecord as IndexRecord
from services.memory.ports.writes import Remember as Remember
from services.memory.ports.writes import RequestKey as RequestKey
from services.memory.ports.writes import Seen as Seen
from services.memory.ports.writes import Stamp as Stamp
from services.memory.ports.writes import TopicMember as TopicMember
from services.memory.ports.writes import Wanted as Wanted
from services.memory.ports.writes import Write as Write
