import type { Middleware } from "openapi-fetch";

/**
 * Return the server's cookies with later requests, as browsers do themselves. The server needs its
 * cookie to recognize a client without an API key.
 */
export function keepCookies(): Middleware {
  const cookies = new Map<string, string>();
  return {
    onRequest({ request }) {
      if (cookies.size > 0) {
        const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
        request.headers.set("Cookie", pairs.join("; "));
      }
    },
    onResponse({ response }) {
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
        if (name !== undefined && value !== undefined) {
          cookies.set(name, value);
        }
      }
    },
  };
}
