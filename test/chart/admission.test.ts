import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, specOf } from '@orch/machinery/json';
import { poll } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { memberAt, rendered, skip, valueSets } from './chart.ts';
import { applyStrictly, define, monitoringDefinitions, ObjectPaths } from './host-cluster.ts';

/** The oldest release that the chart permits, and the newest one that the server emulates. */
const releases = ['1.23', '1.27'];

/** The template of the pods of an object; undefined when it has none. */
function podTemplate(object: ApiObject): object | undefined {
  if (object.kind === 'Pod') return object;
  const job = memberAt(specOf(object), ['jobTemplate', 'spec', 'template']);
  const template = job ?? memberAt(specOf(object), ['template']);
  return typeof template === 'object' && template !== null ? template : undefined;
}

for (const release of releases) {
  describe(`objects of the chart in a cluster of release ${release}`, { skip, timeout: 120_000 }, () => {
    let server: LaunchedServer;
    let paths: ObjectPaths;

    before(async () => {
      server = await launchServer({
        naming: 'kubernetes',
        args: [`--emulated-version=${release}`, '--feature-gates=ServerSideFieldValidation=true'],
      });
      await define(server.client, monitoringDefinitions);
      paths = new ObjectPaths(server.client);
      await poll('the definitions are served', 30_000, async () => {
        const { json, status } = await server.client.get('/apis/monitoring.coreos.com/v1');
        return status === 200 && JSON.stringify(json).includes('PrometheusRule');
      });
    });
    after(() => server[Symbol.asyncDispose]());

    const refusals = async (object: ApiObject): Promise<readonly string[]> => {
      const answer = await applyStrictly(server.client, await paths.of(object), object);
      const isGood = answer.status === 201 && answer.headers['warning'] === undefined;
      return isGood ? [] : [`${object.kind} ${object.metadata.name}: ${answer.text}`];
    };

    for (const [name, file] of valueSets)
      it(`strict validation admits every object with the ${name} values`, async () => {
        const objects = await rendered(`--values=${file}`, `--kube-version=${release}`);
        const found: string[] = [];
        for (const object of objects) found.push(...(await refusals(object)));
        assert.deepEqual(found, []);
      });

    it('strict validation refuses an unknown field of an object of the chart', async () => {
      const [deployment] = (await rendered()).filter(({ kind }) => kind === 'Deployment');
      assert.ok(deployment);
      const changed = { ...deployment, spec: { ...specOf(deployment), replica: 2 } };
      assert.match((await refusals(changed)).join(), /replica/);
    });

    it('pods of every set of values conform to the restricted pod security standard', async () => {
      const metadata = { name: 'strict', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
      const made = await server.client.post('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata,
      });
      assert.equal(made.status, 201, made.text);
      for (const [name, file] of valueSets)
        for (const object of await rendered(`--values=${file}`)) {
          const template = podTemplate(object);
          if (template === undefined) continue;
          const pod = {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'a' },
            spec: podSpec(template, object),
          };
          const answer = await server.client.post('/api/v1/namespaces/strict/pods?dryRun=All', pod);
          assert.equal(answer.status, 201, `${name}: ${object.kind} ${object.metadata.name}: ${answer.text}`);
        }
    });
  });
}

/** The pods of an object, with temporary volumes for those that a StatefulSet claims. */
function podSpec(template: object, object: ApiObject): object {
  const spec = asObject(memberAt(template, ['spec']));
  const claims = asObjects(memberAt(specOf(object), ['volumeClaimTemplates']));
  const claimed = claims.map((claim) => ({ name: memberAt(claim, ['metadata', 'name']), emptyDir: {} }));
  return { ...spec, volumes: [...asObjects(spec['volumes']), ...claimed] };
}
