import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalOf } from './allowed-request.ts';

const pod = '/api/v1/namespaces/web/pods/one';
const reviews = '/apis/authorization.example/v1/selfsubjectaccessreviews';

/** With and without --read-only. */
const cases: readonly (readonly [line: string, isReadOnlyAllowed: boolean, isAllowed: boolean])[] = [
  [`GET ${pod}`, true, true],
  [`GET ${pod}/log?follow=true`, true, true],
  [`HEAD ${pod}/status`, true, true],
  ['GET /api/v1/pods?watch=true&labelSelector=a%2Fb', true, true],
  ['GET /apis/apps/v1/namespaces/web/deployments/one/scale', true, true],
  ['GET /apis', true, true],
  ['GET /api/v1/namespaces/proxy', true, true],
  ['GET /api/v1/namespaces/exec/pods/attach', true, true],
  [`POST ${reviews}`, true, true],
  [`PUT ${reviews}`, false, true],
  [`POST ${pod}`, false, true],
  [`PUT ${pod}?dryRun=All`, false, true],
  [`PATCH ${pod}/status`, false, true],
  [`DELETE ${pod}`, false, true],
  ['DELETE /api/v1/namespaces/web/pods', false, true],
  [`POST ${pod}/eviction`, false, true],
  [`GET ${pod}/eviction`, false, true],
  ['POST /apis/authorization.example/v1/subjectaccessreviews', false, true],
  [`POST ${reviews}/x`, false, true],
  [`OPTIONS ${pod}`, false, true],
  // Each connects to a container, a node or a service, with GET too.
  [`GET ${pod}/exec?command=sh`, false, false],
  [`POST ${pod}/exec?command=sh`, false, false],
  [`GET ${pod}/attach`, false, false],
  [`GET ${pod}/portforward`, false, false],
  [`GET ${pod}/proxy/index.html`, false, false],
  ['GET /api/v1/namespaces/web/services/http:one:80/proxy', false, false],
  ['GET /api/v1/nodes/a/proxy/run/web/one/c', false, false],
  ['GET /api/v1/proxy/nodes/a', false, false],
  [`GET /api/v1/watch/namespaces/web/pods/one/exec`, false, false],
  // Other readers of the path might see another one.
  [`GET ${pod}%2Fexec`, false, false],
  [`GET ${pod}/%65xec`, false, false],
  [`GET /api/v1//namespaces/web/pods/one/exec`, false, false],
  [`GET /api/v1/x/../namespaces/web/pods/one/exec`, false, false],
  [`GET ${pod}/%2e%2e/one/exec`, false, false],
  [`GET ${pod}/exec/`, false, false],
  ['GET /api/v1/%zz', false, false],
  ['GET api/v1/pods', false, false],
  [`GET ${pod}\\exec`, false, false],
  [`GET ${pod};/exec`, false, false],
];

describe('requests that the console passes on', () => {
  for (const [line, isReadOnlyAllowed, isAllowed] of cases) {
    const [method = '', target = ''] = line.split(' ');
    it(`${line} is ${isAllowed ? 'passed on' : 'refused'}, and with --read-only ${isReadOnlyAllowed ? 'passed on' : 'refused'}`, () => {
      assert.deepEqual(
        [refusalOf(method, target, true), refusalOf(method, target, false)].map((each) => each === undefined),
        [isReadOnlyAllowed, isAllowed],
      );
    });
  }
});
