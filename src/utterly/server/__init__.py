"""The rewriter over HTTP, with a page to try it on; needs the extra `serve`. The client is `utterly.client`."""
