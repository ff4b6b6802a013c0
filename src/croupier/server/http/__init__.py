"""HTTP and WebSocket: routes, sockets, and how a refusal is answered."""
