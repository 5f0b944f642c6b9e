import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import { setPath } from '../../testing/set-path.ts';
import { type WritePath, writePath } from '../../testing/write-path.ts';
import { ingresses as type } from './index.ts';

const v1 = writePath(undefined, '1.21', { version: 'networking/v1' });
const betas = ['networking/v1beta1', 'extensions/v1beta1'].map(
  (version) => [version, writePath(undefined, '1.21', { version })] as const,
);

const path = (backend: object, fields: object = {}): object => ({
  path: '/',
  pathType: 'Prefix',
  ...fields,
  backend,
});
const rule = (...paths: object[]): object => ({ host: 'a.example', http: { paths } });
const create = (client: WritePath, spec: object, metadata: object = {}): ReturnType<WritePath['create']> =>
  client.create(type, { metadata: { name: 'x', ...metadata }, spec });
const errorsOf = ({ errors }: ReturnType<WritePath['create']>): unknown =>
  errors.map(({ type: reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`);

const byNumber = { service: { name: 's', port: { number: 80 } } };
const byName = { service: { name: 's', port: { name: 'http' } } };
const resource = { resource: { apiGroup: 'a.example', kind: 'Bucket', name: 'b' } };

for (const [version, beta] of betas) {
  describe(`ingresses in ${version}`, () => {
    for (const [title, hub, older] of [
      [
        'the default backend and a numbered port',
        { defaultBackend: byNumber },
        { backend: { serviceName: 's', servicePort: 80 } },
      ],
      ['a named port', { defaultBackend: byName }, { backend: { serviceName: 's', servicePort: 'http' } }],
      [
        'a backend that is not a service',
        { defaultBackend: resource },
        { backend: { servicePort: 0, ...resource } },
      ],
      [
        'backends of paths',
        { rules: [rule(path(byNumber), path(byName, { path: '/b', pathType: 'Exact' }))] },
        {
          rules: [
            rule(
              path({ serviceName: 's', servicePort: 80 }),
              path({ serviceName: 's', servicePort: 'http' }, { path: '/b', pathType: 'Exact' }),
            ),
          ],
        },
      ],
      [
        'class, certificates and hosts without paths',
        {
          ingressClassName: 'c',
          tls: [{ hosts: ['*.a.example'], secretName: 's' }],
          rules: [{ host: '*.a.example' }],
        },
        {
          ingressClassName: 'c',
          tls: [{ hosts: ['*.a.example'], secretName: 's' }],
          rules: [{ host: '*.a.example' }],
        },
      ],
    ] as const) {
      it(`ingresses in ${version} convert ${title} to v1 and back without loss`, () => {
        const stored = create(v1, hub);
        assert.deepEqual([stored.errors, stored.object['spec']], [[], hub]);
        const shown = beta.show(type, stored.object);
        assert.deepEqual(shown['spec'], older);
        assert.equal(shown.metadata.annotations, undefined);
        const written = create(beta, older);
        assert.deepEqual([written.errors, written.object['spec']], [[], hub]);
        assert.equal(written.object.metadata.annotations, undefined);
      });
    }

    it(`ingresses in ${version} have the default path type ImplementationSpecific`, () => {
      const { object } = create(beta, {
        rules: [rule({ backend: { serviceName: 's', servicePort: 80 } })],
      });
      assert.deepEqual(object['spec'], {
        rules: [rule({ pathType: 'ImplementationSpecific', backend: byNumber })],
      });
    });

    it(`errors of ingresses in ${version} have the field paths of that version`, () => {
      const backends = [
        { serviceName: 'A_', servicePort: 70_000 },
        { serviceName: 's', servicePort: 'Bad_' },
        { servicePort: 80 },
        {},
      ];
      const spec = {
        backend: { serviceName: 's' },
        rules: [rule(...backends.map((backend) => path(backend)))],
      };
      const at = 'spec.rules[0].http.paths';
      assert.deepEqual(errorsOf(create(beta, spec)), [
        'Required spec.backend',
        `Invalid ${at}[0].backend.serviceName`,
        `Invalid ${at}[0].backend.servicePort`,
        `Invalid ${at}[1].backend.servicePort`,
        `Required ${at}[2].backend.serviceName`,
        `Invalid ${at}[3].backend`,
      ]);
      assert.deepEqual(errorsOf(create(beta, {})), ['Invalid spec']);
    });

    it(`ingresses in ${version} cannot bypass validation by an annotation`, () => {
      const key = 'non-convertible.orch.io/networking.v1.Ingress';
      const text = JSON.stringify([
        { path: ['spec', 'defaultBackend', 'service', 'port', 'name'], is: 'Bad_' },
      ]);
      const spec = { backend: { serviceName: 's', servicePort: 80 } };
      const { object, errors } = create(beta, spec, { annotations: { [key]: text } });
      assert.deepEqual([errors, object['spec']], [[], { defaultBackend: byNumber }]);
    });

    it(`ingresses in ${version} may name secrets as they always could`, () => {
      const spec = { backend: { serviceName: 's', servicePort: 80 }, tls: [{ secretName: 'A_' }] };
      const written = create(beta, spec);
      assert.deepEqual(written.errors, []);
      const next = cloneJson(written.object);
      setPath(next, 'metadata.labels', { a: 'b' });
      assert.deepEqual(errorsOf(v1.update(type, written.object, next)), []);
      assert.deepEqual(errorsOf(create(v1, next['spec'] as object)), ['Invalid spec.tls[0].secretName']);
    });
  });
}

describe('ingresses of releases without types of paths', () => {
  const beta = writePath(undefined, '1.17', { version: 'networking/v1beta1' });
  const stored = create(beta, {
    rules: [rule({ path: '/', pathType: 'Exact', backend: { serviceName: 's', servicePort: 80 } })],
  });

  it('ingresses of releases without types of paths have one in v1, and none in their own version', () => {
    assert.deepEqual(stored.object['spec'], {
      rules: [rule(path(byNumber, { pathType: 'ImplementationSpecific' }))],
    });
    const shown = writePath(undefined, '1.21', { version: 'networking/v1beta1' }).show(type, stored.object);
    assert.deepEqual(shown['spec'], {
      rules: [rule({ path: '/', backend: { serviceName: 's', servicePort: 80 } })],
    });
  });
});

describe('ingresses of networking', () => {
  const { object: stored } = create(v1, { defaultBackend: byNumber });

  for (const [title, text, pathType, wrong] of [
    ['an element that is empty', '/a//b', 'Exact', true],
    ['an element that is a dot', '/a/./b', 'Prefix', true],
    ['a way up at the end', '/a/..', 'Prefix', true],
    ['a dot at the end', '/a/.', 'Exact', true],
    ['a slash in disguise', '/a%2Fb', 'Exact', true],
    ['a relative path', 'a', 'ImplementationSpecific', true],
    ['no path', '', 'Prefix', true],
    ['no path', '', 'ImplementationSpecific', false],
    ['anything absolute', '/a//../b', 'ImplementationSpecific', false],
    ['a way that looks like up', '/a/..b', 'Prefix', false],
  ] as const) {
    it(`ingresses ${wrong ? 'refuse' : 'take'} ${title} as ${pathType}`, () => {
      const written = create(v1, { rules: [rule(path(byNumber, { path: text, pathType }))] });
      assert.equal(written.errors.length > 0, wrong);
      for (const { field } of written.errors) assert.equal(field, 'spec.rules[0].http.paths[0].path');
    });
  }

  it('ingresses have a class in the spec or in the annotation when they are made; later both', () => {
    const annotations = { 'orch.io/ingress.class': 'c' };
    const spec = { defaultBackend: byNumber, ingressClassName: 'c' };
    assert.deepEqual(errorsOf(create(v1, spec, { annotations })), [
      'Invalid annotations.orch.io/ingress.class',
    ]);
    const next: ApiObject = { ...cloneJson(stored), spec };
    next.metadata.annotations = annotations;
    assert.deepEqual(errorsOf(v1.update(type, stored, next)), []);
  });

  it('ingresses write their status through its subresource only, and check it there', () => {
    const next = cloneJson(stored);
    setPath(next, 'status.loadBalancer.ingress', [{ ip: '1.2.3.4' }]);
    setPath(next, 'spec.ingressClassName', 'c');
    assert.deepEqual(v1.update(type, stored, next).object['status'], { loadBalancer: {} });
    const { object, errors } = v1.update(type, stored, next, 'status');
    assert.deepEqual([errors, object['spec']], [[], stored['spec']]);
    setPath(next, 'status.loadBalancer.ingress', [{ ip: 'x' }, { hostname: '1.2.3.4' }]);
    assert.deepEqual(errorsOf(v1.update(type, stored, next, 'status')), [
      'Invalid status.loadBalancer.ingress[0].ip',
      'Invalid status.loadBalancer.ingress[1].hostname',
    ]);
  });

  it('ingresses are served by the versions of their release', () => {
    const served = (release: string): unknown =>
      typesAt(release, [type]).flatMap((definition) =>
        definition.served.map(({ group = 'networking', version }) => `${group}/${version}`),
      );
    assert.deepEqual(
      [served('1.18'), served('1.21'), served('1.22')],
      [
        ['networking/v1beta1', 'extensions/v1beta1'],
        ['networking/v1', 'networking/v1beta1', 'extensions/v1beta1'],
        ['networking/v1'],
      ],
    );
  });

  it('ingresses are shown with hosts, address and ports', () => {
    const metadata = { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' };
    const row = (spec: object, ingress: object[] = []): unknown =>
      type.table
        ?.cells({ metadata, spec, status: { loadBalancer: { ingress } } }, namesFor('orch'))
        .slice(1, 5);
    assert.deepEqual(row({}), ['<none>', '*', '', '80']);
    const rules = ['a', '', 'b', 'c', 'd'].map((host) => ({ host }));
    assert.deepEqual(
      row({ ingressClassName: 'k', rules, tls: [{}] }, [{ ip: '2.2.2.2' }, { hostname: 'h' }]),
      ['k', 'a,b,c + 2 more...', '2.2.2.2,h', '80, 443'],
    );
    assert.deepEqual(row({ rules: [...rules.slice(2), {}] }), ['<none>', 'b,c,d + 1 more...', '', '80']);
    assert.deepEqual(row({ rules: rules.slice(2) }), ['<none>', 'b,c,d', '', '80']);
  });
});
