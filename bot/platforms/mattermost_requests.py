"""What Mattermost posts to us, as long as it is not too long."""

from starlette.exceptions import HTTPException
from starlette.requests import Request

# A command's text is a message, of 16,383 characters at most; in a form one takes up to 12 bytes.
_MOST_BYTES = 256 * 1024


async def body_of(request: Request) -> bytes:
    """The body; raises HTTPException where it is longer than what Mattermost sends."""
    read = bytearray()
    async for piece in request.stream():
        read += piece
        if len(read) > _MOST_BYTES:
            raise HTTPException(413, "That is too long.")
    return bytes(read)
