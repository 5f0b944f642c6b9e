import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { parseRequestInfo } from './request-info.ts';
import { MAX_PATH_LENGTH } from './request-path.ts';

const parse = (line: string, contentType?: string) => {
  const [method = '', target = ''] = line.split(' ');
  const [rawPath = '', rawQuery = ''] = target.split('?');
  return parseRequestInfo({ method, rawPath, rawQuery, contentType });
};

/** verb group/version resource/subresource namespace name rest, empty parts as `-`. */
const short = (line: string, contentType?: string): string => {
  const info = parse(line, contentType);
  if (!info.isResource) return `${info.verb} ${info.path}`;
  const { verb, group, version, resource, subresource, namespace, name, rest } = info;
  return [verb, group, version, resource, subresource, namespace, name, rest]
    .map((part) => part || '-')
    .join(' ');
};

describe('request info of paths and methods', () => {
  for (const [line, expected] of [
    ['GET /api/v1/nodes', 'list - v1 nodes - - - -'],
    ['GET /api/v1/nodes/n', 'get - v1 nodes - - n -'],
    ['HEAD /api/v1/nodes', 'list - v1 nodes - - - -'],
    ['HEAD /api/v1/nodes/n?watch=1', 'get - v1 nodes - - n -'],
    ['GET /api/v1/nodes/n/status', 'get - v1 nodes status - n -'],
    ['GET /api/v1/pods', 'list - v1 pods - - - -'],
    ['GET /api/v1/namespaces/a/pods', 'list - v1 pods - a - -'],
    ['GET /api/v1/namespaces/a/pods/p', 'get - v1 pods - a p -'],
    ['GET /api/v1/namespaces/a/pods/p/log', 'get - v1 pods log a p -'],
    ['POST /api/v1/namespaces/a/pods', 'create - v1 pods - a - -'],
    ['POST /api/v1/namespaces/a/pods/p/binding', 'create - v1 pods binding a p -'],
    ['PUT /api/v1/namespaces/a/pods/p', 'update - v1 pods - a p -'],
    ['PATCH /api/v1/namespaces/a/pods/p', 'patch - v1 pods - a p -'],
    ['DELETE /api/v1/namespaces/a/pods/p', 'delete - v1 pods - a p -'],
    ['DELETE /api/v1/namespaces/a/pods', 'deletecollection - v1 pods - a - -'],
    ['GET /api/v1/namespaces', 'list - v1 namespaces - - - -'],
    ['GET /api/v1/namespaces/a', 'get - v1 namespaces - a a -'],
    ['DELETE /api/v1/namespaces/a', 'delete - v1 namespaces - a a -'],
    ['PUT /api/v1/namespaces/a/finalize', 'update - v1 namespaces finalize a a -'],
    ['GET /api/v1/namespaces/a/status', 'get - v1 namespaces status a a -'],
    ['GET /apis/apps/v1/deployments', 'list apps v1 deployments - - - -'],
    ['GET /apis/apps/v1/namespaces/a/deployments/d/scale', 'get apps v1 deployments scale a d -'],
    ['GET /api/v1/pods?watch=1', 'watch - v1 pods - - - -'],
    ['GET /api/v1/pods?watch', 'watch - v1 pods - - - -'],
    ['GET /api/v1/pods?watch=true&limit=1', 'watch - v1 pods - - - -'],
    ['GET /api/v1/pods?watch=False', 'list - v1 pods - - - -'],
    ['GET /api/v1/pods?watch=0', 'list - v1 pods - - - -'],
    ['GET /api/v1/pods?unwatch=1', 'list - v1 pods - - - -'],
    ['GET /api/v1/pods?w%61tch=1', 'watch - v1 pods - - - -'],
    ['GET /api/v1/namespaces/a/pods/p?watch=1', 'watch - v1 pods - a p -'],
    ['POST /api/v1/namespaces/a/pods?watch=1', 'create - v1 pods - a - -'],
    ['GET /api/v1/watch/pods', 'watch - v1 pods - - - -'],
    ['GET /api/v1/watch/namespaces/a/pods/p', 'watch - v1 pods - a p -'],
    ['GET /apis/apps/v1/watch/deployments', 'watch apps v1 deployments - - - -'],
    ['GET /api/v1/namespaces/a/services/s/proxy', 'get - v1 services proxy a s -'],
    ['GET /api/v1/nodes/n/proxy/metrics/a%2Cb/', 'get - v1 nodes proxy - n /metrics/a%2Cb/'],
    ['GET /api/v1/nodes/n/proxy/x?watch=1', 'get - v1 nodes proxy - n /x'],
    ['OPTIONS /api/v1/nodes/n/proxy/x', 'get - v1 nodes proxy - n /x'],
    ['POST /api/v1/nodes/n:10250/proxy/', 'create - v1 nodes proxy - n:10250 /'],
    ['GET /api/v1/namespaces/a/services/https:s:443/proxy/', 'get - v1 services proxy a https:s:443 /'],
    ['GET /api/v1/namespaces/a/roles/system%3Aadmin', 'get - v1 roles - a system:admin -'],
    ['GET /apis/x/v1/things/%C3%A4', 'get x v1 things - - ä -'],
    ['GET /api/v1/namespaces/', 'list - v1 namespaces - - - -'],
    ['GET /api/v1/namespaces/a/', 'get - v1 namespaces - a a -'],
    ['GET /api/v1/namespaces/a/status/', 'get - v1 namespaces status a a -'],
    ['GET /api/v1/namespaces/a/pods/', 'list - v1 pods - a - -'],
    ['GET /api/v1/namespaces/a/pods/?watch=1', 'watch - v1 pods - a - -'],
    ['HEAD /api/v1/namespaces/a/pods/', 'list - v1 pods - a - -'],
    ['POST /api/v1/namespaces/a/pods/', 'create - v1 pods - a - -'],
    ['POST /api/v1/namespaces/a/pods/p/binding/', 'create - v1 pods binding a p -'],
    ['GET /api/v1/namespaces/a/pods/p/', 'get - v1 pods - a p -'],
    ['PUT /api/v1/nodes/n/', 'update - v1 nodes - - n -'],
    ['PATCH /api/v1/nodes/n/', 'patch - v1 nodes - - n -'],
    ['GET /api/v1/watch/pods/', 'watch - v1 pods - - - -'],
    ['GET /apis/apps/v1/namespaces/a/deployments/d/scale/', 'get apps v1 deployments scale a d -'],
    ['GET /version', 'get /version'],
    ['GET /version/', 'get /version/'],
    ['GET /apis/apps/', 'get /apis/apps/'],
    ['GET /api', 'get /api'],
    ['GET /api/', 'get /api/'],
    ['GET /api/v1', 'get /api/v1'],
    ['GET /api/v1/', 'get /api/v1/'],
    ['GET /apis/apps', 'get /apis/apps'],
    ['GET /apis/apps/v1/', 'get /apis/apps/v1/'],
    ['GET //version', 'get //version'],
    ['BREW /coffee', 'brew /coffee'],
    ['GET /heal%74hz', 'get /healthz'],
  ] as const) {
    it(`the request ${line} is read as ${expected}`, () => assert.equal(short(line), expected));
  }

  for (const [line, isInNamespace] of [
    ['GET /api/v1/namespaces', false],
    ['GET /api/v1/namespaces/a', false],
    ['GET /api/v1/namespaces/a/status', false],
    ['GET /api/v1/watch/namespaces/a', false],
    ['GET /api/v1/nodes/n', false],
    ['GET /api/v1/namespaces/a/pods/p', true],
    ['GET /api/v1/namespaces/a/namespaces', true],
    ['GET /api/v1/namespaces/a/namespaces/a', true],
    ['GET /api/v1/namespaces/a/%6eamespaces/a/status', true],
    ['GET /api/v1/watch/namespaces/a/namespaces/a', true],
    ['GET /apis/apps/v1/namespaces/a/deployments', true],
  ] as const) {
    it(`${line} is ${isInNamespace ? 'inside' : 'outside'} a namespace`, () => {
      const info = parse(line);
      assert.equal(info.isResource && info.isInNamespace, isInNamespace);
    });
  }

  for (const [line, rest] of [
    ['GET /apis/g.io/v1/namespaces/a/vms/p/portforward/22/tcp', '/22/tcp'],
    ['GET /apis/g.io/v1/namespaces/a/vms/p/portforward/22/', '/22'],
    ['DELETE /apis/g.io/v1/namespaces/a/vms/p/status/', '/'],
    ['GET /apis/g.io/v1/namespaces/a/vms/p/status//', '/'],
    ['GET /apis/g.io/v1/namespaces/a/vms/p/portforward/', ''],
    ['GET /api/v1/namespaces/a/finalize/x', '/x'],
  ] as const)
    it(`the path below the subresource of ${line} is ${JSON.stringify(rest)}`, () => {
      const info = parse(line);
      assert.equal(info.isResource && info.rest, rest);
      assert.ok(info.isResource && info.subresource !== '');
    });

  it('apply and patch differ by the content type', () => {
    const line = 'PATCH /api/v1/namespaces/a/pods/p';
    assert.match(short(line, 'application/apply-patch+yaml'), /^apply /);
    assert.match(short(line, 'Application/Apply-Patch+YAML; charset=utf-8'), /^apply /);
    assert.match(short(line, 'application/merge-patch+json'), /^patch /);
  });

  for (const [what, line, code] of [
    ['a step up', 'GET /api/v1/../v1/pods', 400],
    ['a step up at the end', 'GET /api/v1/pods/..', 400],
    ['a dot', 'GET /api/./v1/pods', 400],
    ['an encoded step up', 'GET /api/v1/%2e%2e/pods', 400],
    ['a half encoded step up', 'GET /api/v1/.%2E/pods', 400],
    ['a step up outside of the API', 'GET /healthz/../metrics', 400],
    ['an encoded step up outside of the API', 'GET /healthz/%2e%2e/metrics', 400],
    ['an encoded slash', 'GET /api/v1/namespaces/a%2fpods', 400],
    ['an encoded slash in a name', 'DELETE /api/v1/namespaces/a/pods/b%2Fstatus', 400],
    ['a backslash', 'GET /api/v1/namespaces\\a/pods', 400],
    ['an encoded backslash', 'GET /api/v1/namespaces/a%5cpods', 400],
    ['a NUL', 'GET /api/v1/pods/a%00', 400],
    ['a line end', 'GET /api/v1/pods/a%0a', 400],
    ['half an encoding', 'GET /api/v1/pods/a%2', 400],
    ['no encoding', 'GET /api/v1/pods/%zz', 400],
    ['bytes that are not UTF-8', 'GET /api/v1/pods/%ff', 400],
    ['raw bytes', 'GET /api/v1/pods/\u00e4', 400],
    ['a step in what is proxied', 'GET /api/v1/nodes/n/proxy/../../x', 400],
    ['a path without end', `GET /api/v1/pods/${'a'.repeat(MAX_PATH_LENGTH)}`, 400],
    ['no path', 'GET x', 400],
    ['an empty segment', 'GET /api/v1//pods', 404],
    ['an empty name', 'DELETE /api/v1/namespaces/a/pods/', 404],
    ['an empty name of a namespace', 'DELETE /api/v1/namespaces/', 404],
    ['an empty resource', 'DELETE /api/v1/namespaces/a/', 404],
    ['an empty namespace', 'DELETE /api/v1/namespaces//pods', 404],
    ['an empty subresource', 'DELETE /api/v1/nodes/n/', 404],
    ['two slashes at the end', 'GET /api/v1/namespaces/a/pods//', 404],
    ['two slashes behind a name', 'GET /api/v1/namespaces/a/pods/p//', 404],
    ['an empty resource behind the version', 'GET /api/v1//', 404],
    ['an empty group', 'GET /apis//v1/pods', 404],
    ['an empty version', 'GET /apis/apps//pods', 404],
    ['OPTIONS on a resource', 'OPTIONS /api/v1/pods/a', 405],
    ['another method on what is proxied', 'TRACE /api/v1/nodes/n/proxy/', 405],
    ['what is proxied through a watch path', 'POST /api/v1/watch/nodes/n/proxy/', 405],
    ['another method on a resource', 'TRACE /api/v1/pods', 405],
    ['a change through a watch path', 'POST /api/v1/watch/pods', 405],
    ['a delete through a watch path', 'DELETE /api/v1/watch/namespaces/a/pods', 405],
  ] as const) {
    it(`the path with ${what} is refused with ${code}`, () => {
      assert.throws(
        () => short(line),
        (error) => error instanceof ApiError && error.status.code === code,
      );
    });
  }

  it('two paths denote one object only if they differ in encoding or a final slash', () => {
    const seen = new Map<string, string>();
    const parts = ['a', 'b', '', '.', '..', '%2e', '%2f', 'namespaces', 'watch', 'a%2fb', '%61'];
    for (const x of parts) {
      for (const y of parts) {
        for (const z of parts) {
          const path = `/api/v1/${x}/${y}/${z}`;
          try {
            const read = short(`GET ${path}`);
            const plain = decodeURIComponent(path);
            const other = seen.get(read) ?? plain;
            assert.equal(
              plain.replace('/watch/', '/').replace(/\/$/, ''),
              other.replace('/watch/', '/').replace(/\/$/, ''),
              `${read} from ${path}`,
            );
            seen.set(read, plain);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
          }
        }
      }
    }
    assert.ok(seen.size > 20);
  });
});
