import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtinTypes } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { runCommandLine } from '@orch/orchctl/testing';
import { inNaming, manifest, nameOf, removedVersions } from './removed-versions.ts';

const kubernetes = namesFor('kubernetes');

/** Removed beta versions that the table of 9.4 leaves out. */
const unlisted: readonly string[] = [
  '1.16 apps/v1beta1 ControllerRevision',
  '1.16 apps/v1beta2 ControllerRevision',
  '1.16 extensions/v1beta1 ReplicationControllerDummy',
];

describe('orchctl check of removed versions', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'orchctl-check-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const check = (from: string, to: string, ...argv: string[]) =>
    runCommandLine(['check', `--from=${from}`, `--to=${to}`, ...argv], { folder });

  for (const naming of ['orch', 'kubernetes'] as const)
    for (const { release, apiVersion, kinds, replacement } of removedVersions)
      for (const kind of kinds) {
        const named = (text: string) => inNaming(text, naming);
        const before = `1.${Number(release.slice(2)) - 1}`;

        it(`${kind} of ${apiVersion} is reported as removed in ${release} (${naming})`, async () => {
          write('one.yaml', named(manifest({ apiVersion }, kind)));
          const { status, out } = await check(before, release, 'one.yaml', `--naming=${naming}`);
          assert.equal(status, 1, out);
          assert.match(
            out,
            new RegExp(
              `^one\\.yaml:3 +${kind} ${nameOf(kind)} +removed +${named(apiVersion)} ${kind} is not served since ${release}`,
              'm',
            ),
          );
          if (replacement.includes('/')) assert.ok(out.includes(`; use ${named(replacement)}`), out);
          else assert.ok(out.includes(replacement), out);
          const earlier = await check(before, before, 'one.yaml');
          assert.equal(earlier.status, 0, earlier.out);
        });

        it(`${kind} of ${apiVersion} is replaced by --fix, unless nothing replaces it (${naming})`, async () => {
          const text = named(manifest({ apiVersion }, kind));
          write('one.yaml', text);
          assert.equal((await check(before, release, 'one.yaml', '--fix', `--naming=${naming}`)).status, 0);
          const fixed = readFileSync(join(folder, 'one.yaml'), 'utf8');
          if (!replacement.includes('/')) return assert.equal(fixed, text);
          assert.ok(fixed.includes(`apiVersion: ${named(replacement)}`), fixed);
          const { status, out } = await check(before, release, 'one.yaml', `--naming=${naming}`);
          assert.equal(status, 0, out);
        });
      }

  it('the rows include all beta versions that a release up to 1.27 removes, besides the named ones', () => {
    const rows = removedVersions.flatMap(({ release, apiVersion, kinds }) =>
      kinds.map((kind) => `${release} ${apiVersion} ${kind}`),
    );
    const declared = builtinTypes.flatMap((type) =>
      type.versions.flatMap(({ group = type.group, version, removed, differs }) =>
        removed === undefined || !/beta/.test(version) || Number(removed.slice(2)) > 27
          ? []
          : [`${removed} ${kubernetes.apiVersion(group, version)} ${differs?.kind ?? type.kind}`],
      ),
    );
    assert.deepEqual(new Set(declared), new Set([...rows, ...unlisted]));
  });

  it('what releases from 1.28 to the latest remove or deprecate is reported, with the replacement', async () => {
    const later = [
      ['flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema', 'removed', '1.29'],
      ['flowcontrol.apiserver.k8s.io/v1beta3', 'PriorityLevelConfiguration', 'removed', '1.32'],
      ['admissionregistration.k8s.io/v1beta1', 'ValidatingAdmissionPolicy', 'removed', '1.34'],
      ['networking.k8s.io/v1beta1', 'ServiceCIDR', 'removed', '1.37'],
      ['v1', 'Endpoints', 'deprecated', '1.33'],
    ] as const;
    const document = ([apiVersion, kind]: (typeof later)[number]): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`;
    write('later.yaml', later.map(document).join('---\n'));
    const { status, out } = await check('1.24', 'latest', 'later.yaml');
    assert.equal(status, 1);
    const words = { removed: 'is not served since', deprecated: 'is deprecated since' };
    for (const [apiVersion, kind, change, since] of later) {
      const found = out.split('\n').find((line) => line.includes(`${apiVersion} ${kind} `)) ?? '';
      assert.ok(found.includes(`${change} `), out);
      assert.ok(found.includes(`${words[change]} ${since}`) && /; use \S/.test(found), found);
    }
  });

  it('without --from, the upgrade is one from 1.24, or none if --to is earlier', async () => {
    const ofSchema = 'kind: FlowSchema\nmetadata: {name: a}\n';
    write('schema.yaml', `apiVersion: flowcontrol.apiserver.k8s.io/v1beta1\n${ofSchema}`);
    const run = (to: string) => runCommandLine(['check', `--to=${to}`, 'schema.yaml'], { folder });
    assert.match((await run('1.36')).out, /removed .* is not served since 1\.26/);
    assert.equal((await run('1.22')).out, '');
    assert.match((await run('soon')).err, /--to must be latest or a release such as 1\.25/);
  });

  it('changed defaults, dropped fields and required fields are reported with their lines', async () => {
    write(
      'hooks.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingWebhookConfiguration\nmetadata:\n  name: hooks\nwebhooks:\n- name: a.example.com\n  clientConfig: {url: "https://example.com"}\n',
    );
    const { status, out } = await check('1.21', '1.25', 'hooks.yaml');
    assert.equal(status, 1);
    for (const [field, before, after] of [
      ['failurePolicy', '"Ignore"', '"Fail"'],
      ['matchPolicy', '"Exact"', '"Equivalent"'],
      ['timeoutSeconds', '30', '10'],
    ])
      assert.match(
        out,
        new RegExp(
          `^hooks\\.yaml:10 .* default +the default of webhooks\\[0\\]\\.${field} changes from ${before} to ${after}`,
          'm',
        ),
      );
    assert.match(out, /required +webhooks\[0\]\.sideEffects: /);
  });

  it('a field without an equivalent is reported as dropped, with its line', async () => {
    write(
      'deployment.yaml',
      'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  rollbackTo:\n    revision: 1\n  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}\n',
    );
    const { out } = await check('1.15', '1.16', 'deployment.yaml');
    assert.match(out, /^deployment\.yaml:[56] +Deployment web +dropped +spec\.rollbackTo/m);
  });

  it('an empty selector of a disruption budget is reported, because it selects all pods in the new version', async () => {
    write(
      'budget.yaml',
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec:\n  selector: {}\n',
    );
    const { out } = await check('1.24', '1.25', 'budget.yaml');
    assert.match(out, /^budget\.yaml:5 .* default +an empty spec\.selector selects all pods/m);
  });

  it('--fix writes replaced objects with the earlier defaults, and keeps other documents with their comments', async () => {
    write(
      'fix.yaml',
      '# keep me\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a} # and me\n---\napiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: {name: web}\nspec:\n  rules:\n  - http:\n      paths:\n      - path: /a\n        backend: {serviceName: web, servicePort: 80}\n',
    );
    assert.equal((await check('1.21', '1.25', 'fix.yaml', '--fix')).status, 0);
    const text = readFileSync(join(folder, 'fix.yaml'), 'utf8');
    assert.match(text, /^# keep me\n[\s\S]*# and me\n---\napiVersion: networking\.k8s\.io\/v1\n/);
    assert.match(text, /backend:\n +service:\n +name: web\n +port:\n +number: 80/);
    assert.match(text, /pathType: ImplementationSpecific/);
    assert.equal((await check('1.21', '1.25', 'fix.yaml')).status, 0);
  });

  it('a value that the later release refuses in the same version is reported with its line', async () => {
    write(
      'cron.yaml',
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  schedule: "TZ=UTC 0 6 * * *"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}\n',
    );
    assert.deepEqual(await check('1.24', '1.28', 'cron.yaml'), {
      status: 0,
      out: '',
      err: 'checked objects: 1, findings: 0\n',
    });
    const { status, out } = await check('1.24', '1.29', 'cron.yaml');
    assert.equal(status, 1);
    assert.match(
      out,
      /^cron\.yaml:5 +CronJob nightly +refused +spec\.schedule: .*use timeZone field instead; 1\.29 refuses to create the object/m,
    );
  });

  it('an object without metadata is reported and fixed', async () => {
    write('review.yaml', 'apiVersion: authentication.k8s.io/v1beta1\nkind: TokenReview\nspec: {token: t}\n');
    const flags = ['review.yaml', '--naming=kubernetes'];
    const { status, out, err } = await check('1.21', '1.37', ...flags);
    assert.equal(status, 1, err);
    assert.match(
      out,
      /^review\.yaml:1 +TokenReview +removed +.* use authentication\.k8s\.io\/v1 TokenReview/m,
    );
    assert.equal((await check('1.21', '1.37', '--fix', ...flags)).status, 0);
    const fixed = readFileSync(join(folder, 'review.yaml'), 'utf8');
    assert.match(
      fixed,
      /^apiVersion: authentication\.k8s\.io\/v1\nkind: TokenReview\nspec:\n {2}token: t\n$/,
    );
  });

  it('objects of other kinds, and served versions, have no findings', async () => {
    write(
      'fine.yaml',
      'apiVersion: example.com/v1\nkind: Star\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n',
    );
    assert.deepEqual(await check('1.21', '1.25', 'fine.yaml'), {
      status: 0,
      out: '',
      err: 'checked objects: 2, findings: 0\n',
    });
  });

  it('a deprecated version is reported with exit status 0', async () => {
    write('cron.yaml', 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n');
    const { status, out } = await check('1.20', '1.21', 'cron.yaml');
    assert.equal(status, 0);
    assert.match(
      out,
      /deprecated +batch\/v1beta1 CronJob is deprecated since 1\.21 and not served from 1\.25 on; use batch\/v1/,
    );
  });

  for (const argv of [
    ['check', '--to=', 'x.yaml'],
    ['check', '--from=1.2x', '--to=1.25', 'x.yaml'],
    ['check', '--from=1.21', '--to=1.25'],
    ['check', '--from=1.25', '--to=1.21', 'x.yaml'],
  ])
    it(`"${argv.join(' ')}" is refused with exit status 2`, async () => {
      assert.equal((await runCommandLine(argv, { folder })).status, 2);
    });

  it('"convert" prints objects in another version and back, without a server', async () => {
    write(
      'ingress.yaml',
      'apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: {name: web}\nspec: {backend: {serviceName: web, servicePort: http}}\n',
    );
    const newer = await runCommandLine(['convert', '-f', 'ingress.yaml', '-o', 'json'], { folder });
    assert.deepEqual([newer.status, newer.err], [0, '']);
    assert.deepEqual(JSON.parse(newer.out).spec, {
      defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
    });
    write('newer.json', newer.out);
    const older = await runCommandLine(
      ['convert', '-f', 'newer.json', '--output-version=extensions/v1beta1', '-o', 'json'],
      { folder },
    );
    assert.deepEqual(JSON.parse(older.out).spec, { backend: { serviceName: 'web', servicePort: 'http' } });
    const none = await runCommandLine(['convert', '-f', 'ingress.yaml', '--output-version=apps/v1'], {
      folder,
    });
    assert.equal(none.status, 1);
    assert.match(none.err, /cannot be converted to apps\/v1; its versions are networking\.k8s\.io\/v1/);
  });

  it('"convert" and "check --fix" add no status and no creation time to any removed version', async () => {
    for (const { release, apiVersion, kinds } of removedVersions)
      for (const kind of kinds) {
        const text = manifest({ apiVersion }, kind);
        if (/^status:/m.test(text)) continue;
        write('one.yaml', text);
        const converted = await runCommandLine(['convert', '-f', 'one.yaml'], { folder });
        assert.equal(converted.status, 0, converted.err);
        const before = `1.${Number(release.slice(2)) - 1}`;
        assert.equal((await check(before, release, 'one.yaml', '--fix')).status, 0);
        for (const result of [converted.out, readFileSync(join(folder, 'one.yaml'), 'utf8')])
          assert.doesNotMatch(result, /^status:|^ *(?:- )?creationTimestamp:/m, `${apiVersion} ${kind}`);
      }
  });

  it('the status of a converted template in a list is left out, and that of the input is kept', async () => {
    write(
      'set.yaml',
      'apiVersion: apps/v1beta1\nkind: StatefulSet\nmetadata: {name: a}\nspec:\n  serviceName: a\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}\n  volumeClaimTemplates:\n  - metadata: {name: x}\n    spec: {accessModes: [ReadWriteOnce]}\n',
    );
    const { out } = await runCommandLine(['convert', '-f', 'set.yaml'], { folder });
    assert.doesNotMatch(out, /status/);
    write(
      'status.yaml',
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nstatus: {currentHealthy: 2}\n',
    );
    const kept = await runCommandLine(['convert', '-f', 'status.yaml'], { folder });
    assert.match(kept.out, /^status:\n {2}currentHealthy: 2/m);
  });
});
