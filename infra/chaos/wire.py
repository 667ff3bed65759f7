"""Forward a port to another one, as the network between the product and a server: `wire.py PORT TO_PORT`.

Killing this process cuts the network. While it is halted (SIGSTOP), the network delivers nothing.
"""

import asyncio
import sys


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        return  # one side has closed the connection
    finally:
        writer.close()


async def _serve(port: int, to_port: int) -> None:
    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, to = await asyncio.open_connection("127.0.0.1", to_port)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(_copy(reader, to), _copy(there, writer))

    server = await asyncio.start_server(carry, "127.0.0.1", port, backlog=512)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), int(sys.argv[2])))
