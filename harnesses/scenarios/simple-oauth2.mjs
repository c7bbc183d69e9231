// Users whose tokens are refreshed.
import { once } from 'node:events';
import { createServer } from 'node:http';
import simpleOauth2 from 'simple-oauth2';
import { scenario } from 'unweave';

async function answer(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const user = new URLSearchParams(body).get('refresh_token');
  response.setHeader('connection', 'close');
  response.end(JSON.stringify({ access_token: `access of ${user}`, refresh_token: user, expires_in: 3600 }));
}

scenario({
  name: 'simple-oauth2',
  async setup() {
    const provider = createServer(answer).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const site = `http://127.0.0.1:${provider.address().port}`;
    return { provider, oauth: simpleOauth2({ clientID: 'app', clientSecret: 'secret', site }) };
  },
  operations: {
    refresh: {
      async run({ oauth }, user) {
        const token = await oauth.accessToken.create({ refresh_token: user, expires_in: 0 }).refresh();
        return token.token.access_token;
      },
      args: [['ann'], ['bob']],
    },
  },
  observe: () => null,
  teardown: ({ provider }) => provider.close(),
});
