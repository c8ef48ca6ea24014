"""`redraft view`: a web page on this machine that shows runs as they happen, and steers them."""
