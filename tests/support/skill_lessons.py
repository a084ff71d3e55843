"""Lessons about one kind of work, in one cluster, of which a skill can be made."""

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import topic_service_pb2 as topics_pb
from anamnesis.memory.v1.event_pb2 import VISIBILITY_PRIVATE_TO_USER
from tests.support.clients import Clients

TOPIC = "t-migrations"
ADA = Caller(user_id="ada")
TOLD = (
    (
        "alembic: target database is not up to date",
        "command=alembic upgrade head, description=Migrate",
        "Stamp it first. Bash: command=alembic stamp 4f1c2, description=Stamp",
    ),
    (
        "alembic: multiple head revisions are present",
        "command=alembic upgrade head, description=Migrate",
        "Merge the heads. Bash: command=alembic merge heads, description=Merge",
    ),
    (
        "alembic: could not connect to server on port 5433",
        "command=alembic upgrade head, description=Migrate",
        "The database was not started. Bash: command=docker compose up -d db, description=Start",
    ),
    (
        "alembic: column order_id contains null values",
        "command=alembic upgrade head, description=Migrate",
        "Fill the column before it is made not null; never drop the rows. "
        "Bash: command=psql -f fill_order_id.sql, description=Fill",
    ),
    (
        "alembic: lock timeout after 30 s",
        "command=alembic upgrade head, description=Migrate",
        "Do not run it while the workers write. Bash: command=make stop-workers, description=Stop",
    ),
    (
        "alembic: no module named app.models",
        "command=alembic upgrade head, description=Migrate",
        "Install the package first. Bash: command=pip install -e ., description=Install",
    ),
    (
        "alembic: permission denied for schema billing",
        "command=alembic upgrade head, description=Migrate",
        "Use the owner's role. Bash: command=export PGUSER=billing_owner, description=Role",
    ),
    (
        "alembic: revision 9ab12 was not found",
        "command=alembic upgrade head, description=Migrate",
        "The branch was rebased. Bash: command=git checkout main -- migrations, description=Get",
    ),
)
"""Title, context and resolution of each."""


def topic_of(user: str) -> str:
    """The cluster of a user's lessons."""
    return TOPIC if user == ADA.user_id else f"{TOPIC}-{user}"


async def learn(
    clients: Clients, space: str, first: int = 0, last: int = 5, user: str = "ada"
) -> list[str]:
    """Store some of the lessons as a user's own, and put them into one cluster; their ids."""
    ids, revision = [], ""
    for title, context, resolution in TOLD[first:last]:
        new = lessons_pb.NewLesson(
            lesson=memory_pb2.Lesson(title=title, context=context, resolution=resolution),
            category="error",
            user_id=user,
            visibility=VISIBILITY_PRIVATE_TO_USER,
        )
        request = lessons_pb.CreateLessonRequest(namespace=space, lesson=new)
        made = await clients.lessons.CreateLesson(request)
        ids.append(made.memory.memory_id)
        revision = made.revision
    # moved once all are where the service wants them, or it would move them after us
    assigned = cluster_pb.ListClustersRequest(namespace=space, at_least_revision=revision)
    await clients.cluster.ListClusters(assigned, timeout=20)
    listed = await clients.topics.ListTopics(
        topics_pb.ListTopicsRequest(namespace=space, for_assignment=True)
    )
    await clients.topics.AssignTopicMembers(
        topics_pb.AssignTopicMembersRequest(
            namespace=space,
            assignments=[
                topics_pb.TopicAssignment(
                    memory_id=one, topic_id=topic_of(user), label="migrations"
                )
                for one in ids
            ],
            expected_topics_revision=listed.topics_revision,
        )
    )
    return ids
