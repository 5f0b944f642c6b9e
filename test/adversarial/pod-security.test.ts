import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const names = namesFor('kubernetes');
const pods = '/api/v1/namespaces/guarded/pods';

const violating = { name: 'c', image: 'a', securityContext: { privileged: true } };
const podNamed = (name: string, container: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [container] },
});

/** A way to send a change of a pod, or of one of its subresources. */
type Way = (path: string, change: Change, query?: string) => Promise<ApiResponse>;

interface Change {
  readonly metadata?: object;
  readonly spec?: object;
}

describe('a namespace that enforces a level of pod security', { timeout: 120_000 }, () => {
  let server: LaunchedServer;
  let ways: Readonly<Record<string, Way>>;

  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
    const { client } = server;
    await good(client.post('/api/v1/namespaces', { metadata: { name: 'guarded' } }));
    await good(client.post(pods, podNamed('older', violating)));
    await good(client.post(pods, podNamed('plain', { name: 'c', image: 'a' })));
    await good(
      client.send('PATCH', '/api/v1/namespaces/guarded', {
        body: { metadata: { labels: { [names.labels.podSecurityEnforce]: 'baseline' } } },
        contentType: 'application/merge-patch+json',
      }),
    );
    ways = waysOf(server);
  });
  after(() => server[Symbol.asyncDispose]());

  async function good(answering: Promise<ApiResponse>): Promise<ApiResponse> {
    const answer = await answering;
    assert.ok(answer.status < 300, answer.text);
    return answer;
  }

  function assertRefused(answer: ApiResponse, what: string): void {
    assert.equal(answer.status, 403, `${what}: ${answer.text}`);
    assert.match(answer.text, /violates PodSecurity \\"baseline:latest\\": /, what);
  }

  async function refusedInEachWay(path: string, change: Change): Promise<void> {
    for (const [way, send] of Object.entries(ways))
      for (const query of ['', '&dryRun=All'])
        assertRefused(await send(`${pods}/${path}`, change, query), `${way}${query}`);
  }

  it('the namespace never admits a new pod that violates the level, whichever way it is created', async () => {
    const { client } = server;
    const created: Readonly<Record<string, Promise<ApiResponse>>> = {
      create: client.post(pods, podNamed('new', violating)),
      'create as a dry run': client.post(`${pods}?dryRun=All`, podNamed('new', violating)),
      'create under a generated name': client.post(pods, {
        ...podNamed('', violating),
        metadata: { generateName: 'new-' },
      }),
      'create as YAML': client.post(
        pods,
        'kind: Pod\napiVersion: v1\nmetadata: {name: new}\nspec: {hostPID: true, containers: [{name: c, image: a}]}\n',
        { contentType: 'application/yaml' },
      ),
      'create by apply': client.send('PATCH', `${pods}/new?fieldManager=m`, {
        body: podNamed('new', violating),
        contentType: 'application/apply-patch+yaml',
      }),
      'create with a profile in an annotation': client.post(
        pods,
        podNamed(
          'new',
          { name: 'c', image: 'a' },
          {
            annotations: { [`${names.annotations.apparmorContainerPrefix}c`]: 'unconfined' },
          },
        ),
      ),
    };
    for (const [way, answer] of Object.entries(created)) assertRefused(await answer, way);
    assert.equal((await client.get(`${pods}/new`)).status, 404);
  });

  it('the namespace never admits another image for a pod that was there before the level', async () => {
    await refusedInEachWay('older', { spec: { containers: [{ ...violating, image: 'other' }] } });
    const stored = (await server.client.get(`${pods}/older`)).text;
    assert.doesNotMatch(stored, /"other"/);
  });

  it('the namespace never admits an ephemeral container that violates the level', async () => {
    const spec = { ephemeralContainers: [{ ...violating, name: 'debug', terminationMessagePolicy: 'File' }] };
    await refusedInEachWay('plain/ephemeralcontainers', { spec });
    assert.doesNotMatch((await server.client.get(`${pods}/plain`)).text, /debug/);
  });

  it('the namespace never admits a change of the spec through the status of a pod', async () => {
    for (const [way, send] of Object.entries(ways)) {
      await send(`${pods}/plain/status`, { spec: { containers: [{ ...violating, image: 'other' }] } });
      const stored = (await server.client.get(`${pods}/plain`)).text;
      assert.doesNotMatch(stored, /"privileged":true|"other"/, way);
    }
  });

  it('the namespace admits labels and deletion of a pod that was there before the level', async () => {
    await good(
      server.client.send('PATCH', `${pods}/older`, {
        body: { metadata: { labels: { a: 'b' } } },
        contentType: 'application/merge-patch+json',
      }),
    );
    await good(server.client.delete(`${pods}/older?gracePeriodSeconds=0`));
  });

  it('a namespace that enforces a level of pod security warns about templates whose pods would be refused, and their pods are refused', async () => {
    const { client } = server;
    const enforced = { labels: { [names.labels.podSecurityWarn]: 'baseline' } };
    await good(
      client.send('PATCH', '/api/v1/namespaces/guarded', {
        body: { metadata: enforced },
        contentType: 'application/merge-patch+json',
      }),
    );
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [violating] } };
    const answer = await good(
      client.post('/apis/apps/v1/namespaces/guarded/deployments', {
        metadata: { name: 'w' },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      }),
    );
    assert.match(
      String(answer.headers['warning']),
      /^299 - "would violate PodSecurity \\"baseline:latest\\"/,
    );
    const { spec, metadata } = template;
    const ofTemplate = { ...podNamed('', violating), metadata: { ...metadata, generateName: 'w-' }, spec };
    assertRefused(await client.post(pods, ofTemplate), 'pod of the template');
  });

  it('a namespace that enforces a level of pod security is not created, and not changed, with a level that does not exist', async () => {
    const { client } = server;
    for (const level of ['Restricted', 'strict', '']) {
      const labels = { [names.labels.podSecurityEnforce]: level };
      const created = await client.post('/api/v1/namespaces', { metadata: { name: 'other', labels } });
      assert.equal(created.status, 422, created.text);
      const changed = await client.send('PATCH', '/api/v1/namespaces/guarded', {
        body: { metadata: { labels } },
        contentType: 'application/merge-patch+json',
      });
      assert.equal(changed.status, 422, changed.text);
    }
  });
});

/** All forms of writes that change an object. */
function waysOf({ client }: LaunchedServer): Readonly<Record<string, Way>> {
  const patch =
    (contentType: string, bodyOf: (change: Change) => object): Way =>
    (path, change, query = '') =>
      client.send('PATCH', `${path}?fieldManager=m${query}`, {
        body: JSON.stringify(bodyOf(change)),
        contentType,
      });
  return {
    async update(path, change, query = '') {
      const stored = (await client.get(path)).json as { metadata: object; spec: object };
      return client.put(`${path}?${query.slice(1)}`, {
        ...stored,
        metadata: { ...stored.metadata, ...change.metadata },
        spec: { ...stored.spec, ...change.spec },
      });
    },
    'merge patch': patch('application/merge-patch+json', (change) => change),
    'strategic merge patch': patch('application/strategic-merge-patch+json', (change) => change),
    'JSON patch': patch('application/json-patch+json', ({ spec = {} }) =>
      Object.entries(spec).map(([name, value]) => ({ op: 'add', path: `/spec/${name}`, value })),
    ),
    apply: (path, change, query = '') =>
      client.send('PATCH', `${path}?fieldManager=m&force=true${query}`, {
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: path.split('/')[6] },
          ...change,
        }),
        contentType: 'application/apply-patch+yaml',
      }),
  };
}
