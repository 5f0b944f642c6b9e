import assert from 'node:assert/strict';
import { ApiError } from '@orch/machinery';
import { parseAccept, parseQuery, parseRequestInfo, queryValue } from '@orch/request';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Names of a path cannot lead to another key: they have no slash and are no part of a relative path. */
const isOneSegment = (name: string): boolean => !name.includes('/') && name !== '.' && name !== '..';

/** A target is refused with a Status, or names one resource; both readers of its query agree. Lines: target, Accept. */
export const target: FuzzTarget = {
  seeds: [
    '/api/v1/namespaces/default/pods/a/log?container=c&follow=true\napplication/json;q=0.5, */*',
    '/apis/apps/v1/watch/deployments?labelSelector=a%3Db&limit=5&limit=6\napplication/json;as=Table;v=v1;g=meta.example,application/cbor',
    '/api/v1/namespaces/a/services/https:b:c/proxy/x/%2e%2e/y?a=%00\n',
    '/api/v1/nodes/%6e/%2fstatus?pretty&%70retty=1\ntext/*;q=2;x="\\""',
    '/apis//v1/..;/a//b/../c#d\n;;,,q=',
  ],
  words: ['%2f', '%2e%2e', '/watch/', '/proxy/', ';q=', ';as=Table', '%c0%af'],
  check(data) {
    const [path = '', accept = ''] = data.toString('latin1').split('\n');
    const mark = path.indexOf('?');
    const [rawPath, rawQuery] = mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
    const method = methods[data.length % methods.length] ?? 'GET';
    const info = unlessRefused(
      () => parseRequestInfo({ method, rawPath, rawQuery, contentType: undefined }),
      ApiError,
    )?.value;
    if (info?.isResource === true)
      for (const part of [info.group, info.version, info.resource, info.namespace ?? '', info.name ?? ''])
        assert.ok(isOneSegment(part), part);
    const query = unlessRefused(() => parseQuery(rawQuery), ApiError)?.value;
    for (const name of ['pretty', 'limit', 'a'])
      if (query !== undefined) assert.equal(queryValue(rawQuery, name), query.get(name), name);
    unlessRefused(() => parseAccept(accept), ApiError);
  },
};
