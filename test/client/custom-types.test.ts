import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinResources } from '@orch/client';
import { runTypesProgram } from '@orch/client/custom-types';
import { namesFor, namings } from '@orch/machinery';
import { launchServer } from '@orch/testkit';
import { adminClient } from './connection.ts';

async function* noInput(): AsyncGenerator<Uint8Array> {}

describe('the program orch-types with a cluster', { timeout: 120_000 }, () => {
  for (const naming of namings)
    it(`the definitions of the server of the client configuration become modules with ${naming} names`, async () => {
      await using server = await launchServer({ naming });
      await using connected = adminClient(server, naming);
      const { client } = connected;
      const { intOrString } = namesFor(naming).schemaExtensions;
      const { customresourcedefinitions } = builtinResources(client.names).apiextensions.v1;
      const spec = { type: 'object', properties: { port: { [intOrString]: true } } };
      await client.resource(customresourcedefinitions).create({
        metadata: { name: 'doors.a.example' },
        spec: {
          group: 'a.example',
          scope: 'Cluster',
          names: { plural: 'doors', kind: 'Door' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
            },
          ],
        },
      });
      let [printed, errors] = ['', ''];
      const code = await runTypesProgram(['cluster', '--only', 'doors.a.example'], {
        clientPackage: 'client',
        version: '1',
        environment: { [namesFor(naming).environment.clientConfig]: server.adminConfig },
        folder: '/',
        input: noInput(),
        print: (text) => {
          printed += text;
        },
        printError: (text) => {
          errors += text;
        },
      });
      assert.deepEqual([code, errors], [0, '']);
      assert.match(printed, /^ {2}port\?: number \| string;$/m);
    });
});
