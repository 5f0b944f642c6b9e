import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Naming } from '@orch/machinery';
import { UsageError } from '@orch/program';
import { storeOverridesOf } from './store-overrides.ts';

const overrides = (naming: Naming, ...etcdServersOverrides: readonly string[]) =>
  storeOverridesOf({ naming, etcdServers: ['http://main:2379', 'http://other:2379'], etcdServersOverrides });

describe('the flag --etcd-servers-overrides', () => {
  for (const [naming, group] of [
    ['kubernetes', 'coordination.k8s.io'],
    ['orch', 'coordination.orch.io'],
  ] as const)
    it(`the flag --etcd-servers-overrides names resources by their groups in --naming=${naming}`, () => {
      assert.deepEqual(overrides(naming, '/events#http://a:1;http://b:1', `${group}/leases#https://c:1/`), [
        { resources: ['events'], servers: ['http://a:1', 'http://b:1'] },
        { resources: ['leases.coordination'], servers: ['https://c:1/'] },
      ]);
    });

  it('the flag --etcd-servers-overrides places a resource in the groups of all its versions', () => {
    for (const name of ['/events', 'events.k8s.io/events'])
      assert.deepEqual(overrides('kubernetes', `${name}#http://a:1`)[0]?.resources, ['events']);
    assert.deepEqual(overrides('kubernetes', 'extensions/ingresses#http://a:1')[0]?.resources, [
      'ingresses.networking',
    ]);
  });

  it('the flag --etcd-servers-overrides has one store for the same servers in any order, and none for the main servers', () => {
    assert.deepEqual(
      overrides(
        'kubernetes',
        '/pods#http://a:1;http://b:1',
        'example.com/widgets#http://b:1;http://a:1/',
        '/secrets#http://other:2379;http://main:2379',
      ),
      [{ resources: ['pods', 'widgets.example.com'], servers: ['http://a:1', 'http://b:1'] }],
    );
  });

  for (const [text, problem] of [
    ['/events', /must be group\/resource#servers with URLs separated by semicolons/],
    ['events#http://a:1', /must be group\/resource#servers/],
    ['a/b/c#http://a:1', /must be group\/resource#servers/],
    ['/events#', /must be group\/resource#servers/],
    ['/events#http://a:1;', /must be group\/resource#servers/],
    ['/events#http://a:1#http://b:1', /must be group\/resource#servers/],
    ['/events#a:2379', /"a:2379" is not the URL of a server/],
    ['/events#http://a:1/path', /"http:\/\/a:1\/path" is not the URL of a server/],
    ['/event#http://a:1', /there is no resource "event" in the core group/],
    ['apps/pods#http://a:1', /there is no resource "pods" in the group apps/],
    ['nope/pods#http://a:1', /there is no API group "nope"/],
    ['example.com/wid_gets#http://a:1', /there is no API group|is no/],
    ['coordination.orch.io/leases#http://a:1', /that of --naming=orch, and this is --naming=kubernetes/],
    ['authorization.k8s.io/subjectaccessreviews#http://a:1', /subjectaccessreviews are not stored/],
  ] as const)
    it(`the flag --etcd-servers-overrides refuses ${text} with the reason`, () => {
      assert.throws(
        () => overrides('kubernetes', text),
        (error: unknown) =>
          error instanceof UsageError &&
          error.message.startsWith(`invalid value ${JSON.stringify(text)} for --etcd-servers-overrides: `) &&
          problem.test(error.message),
      );
    });

  it('the flag --etcd-servers-overrides refuses a resource in two stores', () => {
    assert.throws(
      () => overrides('kubernetes', '/events#http://a:1', 'events.k8s.io/events#http://b:1'),
      /events is also in http:\/\/a:1: name each resource once/,
    );
  });
});
