"""Watches over WebSocket, and prints each frame as one line of JSON, then the code with which the connection ends.

The arguments are the URL, the folder with ca.crt, client.crt and client.key, and a JSON object with sub-protocols and header
fields.
"""

import base64
import json
import sys

import websocket

url, folder, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])


def show(**fields):
    print(json.dumps(fields), flush=True)


identity = {} if options.get("anonymous") else {"certfile": f"{folder}/client.crt", "keyfile": f"{folder}/client.key"}
try:
    connection = websocket.create_connection(
        url,
        timeout=60,
        sslopt={"ca_certs": f"{folder}/ca.crt", **identity},
        subprotocols=options.get("protocols"),
        header=options.get("header", []),
    )
except websocket.WebSocketBadStatusException as refusal:
    show(refused=refusal.status_code, body=(refusal.resp_body or b"").decode())
    sys.exit(0)

show(protocol=connection.getsubprotocol())
if options.get("ping"):
    connection.ping("are you there")
while True:
    opcode, data = connection.recv_data(control_frame=True)
    if opcode == websocket.ABNF.OPCODE_CLOSE:
        show(closed=int.from_bytes(data[:2], "big"), reason=data[2:].decode())
        break
    kind = {1: "text", 2: "binary", 9: "ping", 10: "pong"}[opcode]
    show(kind=kind, payload=base64.b64encode(data).decode())
connection.close()
