"""The client of Anamnesis: remember and recall in four lines.

    from anamnesis_client import Anamnesis

    memory = Anamnesis("127.0.0.1:50051", namespace="app", user="mara")
    memory.add([{"role": "user", "content": "I am allergic to hazelnuts."}])
    print(memory.context("What may I not eat?"))

`AsyncAnamnesis` has the same methods for asyncio.
"""

from anamnesis_client.aio import AsyncAnamnesis as AsyncAnamnesis
from anamnesis_client.answers import Added as Added
from anamnesis_client.answers import Change as Change
from anamnesis_client.answers import Citation as Citation
from anamnesis_client.answers import Context as Context
from anamnesis_client.answers import Event as Event
from anamnesis_client.answers import Fact as Fact
from anamnesis_client.answers import Forgotten as Forgotten
from anamnesis_client.answers import Found as Found
from anamnesis_client.answers import Hit as Hit
from anamnesis_client.answers import Learned as Learned
from anamnesis_client.answers import Memory as Memory
from anamnesis_client.answers import Profile as Profile
from anamnesis_client.answers import ProfileLine as ProfileLine
from anamnesis_client.answers import ProfileSection as ProfileSection
from anamnesis_client.answers import ToolCall as ToolCall
from anamnesis_client.errors import AlreadyExists as AlreadyExists
from anamnesis_client.errors import AnamnesisError as AnamnesisError
from anamnesis_client.errors import Conflict as Conflict
from anamnesis_client.errors import DeadlineExceeded as DeadlineExceeded
from anamnesis_client.errors import FailedPrecondition as FailedPrecondition
from anamnesis_client.errors import FieldViolation as FieldViolation
from anamnesis_client.errors import Internal as Internal
from anamnesis_client.errors import InvalidArgument as InvalidArgument
from anamnesis_client.errors import NotFound as NotFound
from anamnesis_client.errors import OutOfRange as OutOfRange
from anamnesis_client.errors import PermissionDenied as PermissionDenied
from anamnesis_client.errors import ResourceExhausted as ResourceExhausted
from anamnesis_client.errors import SuiteFailed as SuiteFailed
from anamnesis_client.errors import Unauthenticated as Unauthenticated
from anamnesis_client.errors import Unavailable as Unavailable
from anamnesis_client.errors import Unimplemented as Unimplemented
from anamnesis_client.errors import Unreachable as Unreachable
from anamnesis_client.json_documents import Document as Document
from anamnesis_client.json_documents import DocumentPut as DocumentPut
from anamnesis_client.json_documents import FoundDocument as FoundDocument
from anamnesis_client.sync import Anamnesis as Anamnesis
