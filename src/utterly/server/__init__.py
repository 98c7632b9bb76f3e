"""The rewriter over HTTP, with a page to try it; needs the extra `serve`. The client is `utterly.client`."""
