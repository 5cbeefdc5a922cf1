"""Our stand-in for a Mattermost server, held to two clients of Mattermost that we did not write."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mattermostautodriver import AsyncTypedDriver, TypedDriver
from mattermostautodriver.exceptions import (
    FeatureDisabled,
    InvalidOrMissingParameters,
    NoAccessTokenProvided,
    NotEnoughPermissions,
    ResourceNotFound,
    TooManyRequests,
)
from mattermostdriver import Driver

from tests.fault_proxy import Limited
from tests.mattermost_stub import (
    ADA,
    ADA_TOKEN,
    BEN,
    BOT,
    BOT_TOKEN,
    OPS,
    QUIET,
    SECRET,
    TEAM,
    AppError,
    MattermostStub,
    mattermost_stub,
)
from tests.mattermost_stub.certificates import self_signed

# The driver says to aiohttp in an older way that it wants no TLS.
pytestmark = pytest.mark.filterwarnings("ignore:ssl=None is deprecated:DeprecationWarning")
BUTTON = {"id": "optA", "name": "rack A", "type": "button"}


@pytest.fixture(scope="module")
def running() -> Iterator[MattermostStub]:
    with mattermost_stub() as server:
        yield server


@pytest.fixture
def stub(running: MattermostStub) -> Iterator[MattermostStub]:
    yield running
    assert not running.complaints
    running.reset()


@pytest.fixture
def driver(stub: MattermostStub) -> Iterator[TypedDriver]:
    with TypedDriver(options_of(stub)) as client:
        client.login()
        yield client


def options_of(stub: MattermostStub, token: str = BOT_TOKEN) -> dict[str, Any]:
    scheme, _, place = stub.url.partition("://")
    host, _, port = place.partition(":")
    return {"scheme": scheme, "url": host, "port": int(port), "token": token, "max_retries": 0}


def with_button(url: str, **context: object) -> dict[str, Any]:
    action = BUTTON | {"integration": {"url": url, "context": context}}
    return {"attachments": [{"text": "Which rack?", "actions": [action]}]}


def test_a_token_names_its_bot(driver: TypedDriver) -> None:
    assert driver.client.userid == BOT
    assert driver.users.get_user("me")["is_bot"] is True


def test_a_wrong_token_is_refused(stub: MattermostStub) -> None:
    with (
        TypedDriver(options_of(stub, "wrong")) as client,
        pytest.raises(NoAccessTokenProvided, match="Invalid or expired session"),
    ):
        client.login()


def test_people_teams_and_channels_are_found(driver: TypedDriver) -> None:
    people = driver.users.get_users_by_ids(options=[ADA, BEN, "unknown"])
    teams = driver.teams.get_teams_for_user("me")
    channel = driver.channels.get_channel_by_name(TEAM, "ops")
    members = driver.channels.get_channel_members(OPS)

    assert [each["username"] for each in people] == ["ada", "ben"]
    assert [team["id"] for team in teams] == [TEAM]
    assert channel["id"] == OPS
    assert [member["user_id"] for member in members] == [BOT, ADA, BEN]
    assert driver.channels.get_channel_member(OPS, ADA)["user_id"] == ADA


def test_a_private_channel_of_others_is_not_there(driver: TypedDriver) -> None:
    with pytest.raises(ResourceNotFound):
        driver.channels.get_channel_by_name(TEAM, "secret")
    with pytest.raises(NotEnoughPermissions):
        driver.channels.get_channel(SECRET)
    with pytest.raises(NotEnoughPermissions):
        driver.posts.create_post(SECRET, "hello")


def test_the_groups_of_others_are_for_administrators(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    stub.world.groups["oncall"] = [ADA]

    with pytest.raises(NotEnoughPermissions):
        driver.groups.get_groups_by_user_id(ADA)
    stub.settings.bot_is_admin = True
    with pytest.raises(FeatureDisabled):
        driver.groups.get_groups_by_user_id(ADA)
    stub.settings.licensed = True
    assert [group["name"] for group in driver.groups.get_groups_by_user_id(ADA)] == ["oncall"]
    assert driver.groups.get_groups_by_user_id(BEN) == []


def test_replies_stand_in_the_thread_of_their_root(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    root = stub.say("how hot is it?")
    reply = driver.posts.create_post(OPS, "12 °C", root_id=root)
    thread = driver.posts.get_post_thread(root)

    assert reply["root_id"] == root
    assert reply["props"] == {"from_bot": "true"}
    assert thread["order"] == [reply["id"], root]
    assert thread["posts"][root]["reply_count"] == 1


def test_the_id_of_a_reply_is_no_root(driver: TypedDriver, stub: MattermostStub) -> None:
    root = stub.say("how hot is it?")
    reply = driver.posts.create_post(OPS, "12 °C", root_id=root)

    with pytest.raises(InvalidOrMissingParameters) as refused:
        driver.posts.create_post(OPS, "still 12 °C", root_id=reply["id"])
    assert refused.value.error_id == "api.post.create_post.root_id.app_error"
    with pytest.raises(InvalidOrMissingParameters):
        driver.posts.create_post(QUIET, "elsewhere", root_id=root)


def test_a_post_is_held_to_the_limits_of_5_37(driver: TypedDriver) -> None:
    driver.posts.create_post(OPS, "x" * 16_383)
    driver.posts.create_post(OPS, "full", props={"kept": "x" * 7_960})

    with pytest.raises(InvalidOrMissingParameters):
        driver.posts.create_post(OPS, "x" * 16_384)
    with pytest.raises(InvalidOrMissingParameters, match="props"):
        driver.posts.create_post(OPS, "full", props={"kept": "x" * 8_000})
    with pytest.raises(InvalidOrMissingParameters, match="props"):
        driver.posts.create_post(OPS, "full", props={"kept": "<" * 1_400})
    with pytest.raises(InvalidOrMissingParameters, match="props"):
        driver.posts.create_post(OPS, "full", props={"attachments": [{"text": "a"}] * 40})


def test_a_patch_with_props_replaces_them_all(driver: TypedDriver) -> None:
    post = driver.posts.create_post(OPS, "working", props={"kept": 1})

    changed = driver.posts.patch_post(post["id"], message="done")
    emptied = driver.posts.patch_post(post["id"], props={})

    assert (changed["message"], changed["props"]["kept"]) == ("done", 1)
    assert changed["edit_at"] > post["create_at"]
    assert emptied["props"] == {}


def test_the_posts_of_others_are_not_edited(driver: TypedDriver, stub: MattermostStub) -> None:
    theirs = stub.say("mine")

    with pytest.raises(NotEnoughPermissions):
        driver.posts.patch_post(theirs, message="yours")
    with pytest.raises(NotEnoughPermissions):
        driver.posts.delete_post(theirs)


def test_what_came_after_a_post_is_read_page_by_page(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    first, *later = [stub.say(f"number {count}") for count in range(5)]
    stub.delete(later[1])

    page = driver.posts.get_posts_for_channel(OPS, after=first, per_page=2)
    rest = driver.posts.get_posts_for_channel(OPS, after=first, per_page=2, page=1)
    newest = driver.posts.get_posts_for_channel(OPS, per_page=1)
    begun = page["posts"][later[2]]["create_at"]
    since = driver.posts.get_posts_for_channel(OPS, since=begun - 1)

    assert page["order"] == [later[2], later[0]]
    assert page["next_post_id"] == later[3]
    assert rest["order"] == [later[3]]
    assert newest["order"] == [later[3]]
    # What was deleted since then is in it too.
    assert since["order"] == [later[3], later[2], later[1]]


def test_a_file_goes_up_and_comes_down(driver: TypedDriver, stub: MattermostStub) -> None:
    up = driver.files.upload_file(files=("table.csv", b"a,b\n"), channel_id=OPS)
    file_id = up["file_infos"][0]["id"]
    post = driver.posts.create_post(OPS, "here", file_ids=[file_id])

    assert post["file_ids"] == [file_id]
    assert post["metadata"]["files"][0]["name"] == "table.csv"
    assert driver.files.get_file(file_id).content == b"a,b\n"
    assert stub.file(file_id) == ("table.csv", b"a,b\n")


def test_ten_files_stand_at_a_post_and_no_more(driver: TypedDriver) -> None:
    ids = []
    for count in range(11):
        up = driver.files.upload_file(files=(f"{count}.txt", b"x"), channel_id=OPS)
        ids.append(up["file_infos"][0]["id"])

    with pytest.raises(InvalidOrMissingParameters, match="10 files"):
        driver.posts.create_post(OPS, "eleven", file_ids=ids)
    assert len(driver.posts.create_post(OPS, "ten", file_ids=ids[:10])["file_ids"]) == 10


def test_a_file_too_large_is_refused(driver: TypedDriver, stub: MattermostStub) -> None:
    stub.settings.max_file_size = 3

    with pytest.raises(Exception, match="Limit: 3 bytes"):
        driver.files.upload_file(files=("table.csv", b"four"), channel_id=OPS)


def test_an_ephemeral_post_is_seen_by_one_and_kept_nowhere(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    shown = driver.posts.create_post_ephemeral(ADA, {"channel_id": OPS, "message": "psst"})

    assert [post["message"] for post in stub.whispers(ADA)] == ["psst"]
    assert not stub.whispers(BEN)
    with pytest.raises(ResourceNotFound):
        driver.posts.get_post(shown["id"])


def test_a_bot_without_the_permission_may_not_whisper(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    stub.settings.may_whisper = False

    with pytest.raises(NotEnoughPermissions):
        driver.posts.create_post_ephemeral(ADA, {"channel_id": OPS, "message": "psst"})


def test_a_direct_channel_is_made_once(driver: TypedDriver, stub: MattermostStub) -> None:
    made = driver.channels.create_direct_channel(options=[BOT, ADA])

    assert made["type"] == "D"
    assert driver.channels.create_direct_channel(options=[ADA, BOT])["id"] == made["id"]
    assert stub.direct_channel(ADA) == made["id"]


def test_what_is_limited_says_how_long(driver: TypedDriver, stub: MattermostStub) -> None:
    stub.fail("POST /posts", Limited(7))

    with pytest.raises(TooManyRequests, match="limit exceeded") as limited:
        driver.posts.create_post(OPS, "too fast")
    assert limited.value.retry_after == 7
    driver.posts.create_post(OPS, "slower")


def test_the_older_driver_passes_too(stub: MattermostStub) -> None:
    client = Driver(options_of(stub))
    client.login()
    file = client.files.upload_file(OPS, files={"files": ("a.txt", b"a")})["file_infos"][0]
    sent = {"channel_id": OPS, "message": "hello", "pending_post_id": f"{BOT}:1"}
    post = client.posts.create_post(sent | {"file_ids": [file["id"]]})
    again = client.posts.create_post(sent)
    changed = client.posts.patch_post(post["id"], {"message": "good-bye"})

    assert client.client.userid == BOT
    # What is sent twice under one pending_post_id stands once.
    assert again["id"] == post["id"]
    assert changed["message"] == "good-bye"
    assert client.files.get_file(file["id"]).content == b"a"
    assert client.posts.delete_post(post["id"]) == {"status": "OK"}


async def heard_by(
    stub: MattermostStub, happens: Any, until: str, verify: bool = True
) -> list[dict[str, Any]]:
    """What the driver's own websocket is sent, from its welcome until an event of that name."""
    heard: list[dict[str, Any]] = []
    done = asyncio.Event()
    acts: list[asyncio.Future[Any]] = []

    async def handle(message: str) -> None:
        event = json.loads(message)
        heard.append(event)
        if event.get("event") == "hello":
            acts.append(asyncio.ensure_future(asyncio.to_thread(happens)))
        if event.get("event") == until:
            done.set()

    async with AsyncTypedDriver(options_of(stub) | {"verify": verify}) as client:
        await client.login()
        listening = asyncio.ensure_future(client.init_websocket(handle))
        await asyncio.wait_for(done.wait(), 20)
        await acts[0]
        client.disconnect()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    # Over TLS, aiohttp gives a connection up a moment after it says that it has.
    await asyncio.sleep(0.25)
    return heard


def test_the_websocket_tells_what_is_posted(stub: MattermostStub) -> None:
    heard = asyncio.run(heard_by(stub, lambda: stub.mention("how hot is it?"), "posted"))

    hello, (posted,) = heard[0], [each for each in heard if each.get("event") == "posted"]
    assert (hello["event"], hello["seq"]) == ("hello", 0)
    assert hello["data"]["connection_id"]
    assert {"status": "OK", "seq_reply": 1} in heard
    assert json.loads(posted["data"]["post"])["message"] == "@odabot how hot is it?"
    assert json.loads(posted["data"]["mentions"]) == [BOT]
    assert posted["data"]["channel_type"] == "O"
    assert posted["data"]["sender_name"] == "@ada"
    assert (posted["broadcast"]["channel_id"], posted["seq"]) == (OPS, 1)


def test_the_websocket_tells_edits_and_deletions(stub: MattermostStub) -> None:
    def act() -> None:
        post = stub.say("hot")
        stub.edit(post, "hotter")
        stub.say("not heard", channel=SECRET)
        stub.delete(post)

    heard = asyncio.run(heard_by(stub, act, "post_deleted"))

    names = [each["event"] for each in heard if "event" in each]
    assert names == ["hello", "posted", "post_edited", "post_deleted"]


def test_a_server_with_its_own_certificate(tmp_path: Path) -> None:
    with mattermost_stub(tls=self_signed(tmp_path)) as stub:
        options = options_of(stub) | {"verify": False}
        with TypedDriver(options) as client:
            client.login()
        heard = asyncio.run(heard_by(stub, lambda: stub.say("hot"), "posted", verify=False))

    assert heard[-1]["event"] == "posted"


def test_a_button_without_an_integration_that_listens(
    driver: TypedDriver, stub: MattermostStub
) -> None:
    props = with_button("http://127.0.0.1:9/none", turn="1")
    post = driver.posts.create_post(OPS, "", props=props)

    assert "integration" not in post["props"]["attachments"][0]["actions"][0]
    with pytest.raises(AppError, match="action_integration"):
        stub.press(post["id"], "rack A")
    stub.settings.allowed_untrusted = ""
    with pytest.raises(AppError, match="address forbidden"):
        stub.press(post["id"], "rack A")


def test_an_action_with_another_letter_in_its_id_is_complained_of(stub: MattermostStub) -> None:
    props = with_button("http://127.0.0.1:9/none")
    props["attachments"][0]["actions"][0]["id"] = "opt-A"
    post = stub.say("choose", props=props)

    with TypedDriver(options_of(stub, ADA_TOKEN)) as client:
        client.login()
        with pytest.raises(ResourceNotFound):
            client.posts.do_post_action(post, "opt-A")
    [complaint] = stub.complaints
    assert "opt-A" in complaint
    stub.complaints.clear()
