import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try:
        there = socket.socket(socket.AF_INET, kind)
        there.connect(("127.0.0.1", int("@@PORT@@")))
        there.send(b"hello")
    except OSError as error:
        print("refused", type(error).__name__)
import urllib.request

urllib.request.urlopen("http://127.0.0.1:@@PORT@@/").read()
