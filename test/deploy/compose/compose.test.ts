import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildGoProgram, programPath, readComposeFile, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..', '..');
const file = join(root, 'docker-compose.yml');
/** The library with which docker compose loads its files. */
const loader = await buildGoProgram(join(import.meta.dirname, 'loader'));

/** The compared and checked parts of the normalized form of a project. */
interface Project {
  readonly services: Readonly<Record<string, LoadedService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

interface LoadedService {
  readonly image: string;
  readonly command: readonly string[] | null;
  readonly entrypoint: readonly string[] | null;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly volumes?: readonly {
    readonly type: string;
    readonly source: string;
    readonly target: string;
    readonly read_only?: boolean;
  }[];
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

async function load(env: Readonly<Record<string, string>> = {}): Promise<Project> {
  if (loader.kind === 'missing') throw new Error(loader.reason);
  const { code, stdout, stderr } = await run(loader.program.path, [file], { env });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Project;
}

describe('services of docker-compose.yml', {
  skip: loader.kind === 'missing' ? loader.reason : false,
}, () => {
  const one = (service: LoadedService): boolean => service.restart === 'no';

  it('every lasting service is restarted, has a health check and is hardened', async () => {
    for (const [name, service] of Object.entries((await load()).services)) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name);
      if (one(service)) continue;
      assert.equal(service.restart, 'unless-stopped', name);
      assert.ok((service.healthcheck?.test ?? []).length > 1, name);
    }
  });

  it('no service writes into a folder of the host, and mounted files exist', async () => {
    const { services, volumes } = await load();
    for (const [name, service] of Object.entries(services))
      for (const mount of service.volumes ?? []) {
        if (mount.type === 'volume') assert.ok(mount.source in volumes, `${name}: ${mount.source}`);
        else {
          assert.equal(mount.read_only, true, `${name}: ${mount.source}`);
          assert.ok(existsSync(mount.source), mount.source);
        }
      }
  });

  it('what the replicas share is made by one service that has finished before any of them starts, and that alone may write it', async () => {
    const { services } = await load();
    for (const name of ['etcd', 'replica-1', 'replica-2', 'replica-3'])
      assert.equal(services[name]?.depends_on?.['init']?.condition, 'service_completed_successfully', name);
    const writers = Object.entries(services).filter(([, service]) =>
      service.volumes?.some(({ source, read_only }) => source === 'orch' && read_only !== true),
    );
    assert.deepEqual(
      writers.map(([name]) => name),
      ['init'],
    );
  });

  it('what a replica writes is in a temporary file system of the user of the image', async () => {
    const { services } = await load();
    for (const name of ['replica-1', 'replica-2', 'replica-3']) {
      assert.deepEqual(services[name]?.tmpfs, ['/run/orch:uid=65532,gid=65532,mode=0700'], name);
      assert.ok(services[name]?.command?.includes('--cert-dir=/run/orch'), name);
    }
  });

  it('published ports are reached from this machine only', async () => {
    const published = Object.values((await load()).services).flatMap(({ ports }) => ports ?? []);
    assert.deepEqual(published.map(({ published: port }) => port).sort(), ['3000', '6443', '9090']);
    assert.ok(published.every(({ host_ip }) => host_ip === '127.0.0.1'));
  });

  it('names are as in kubectl unless the environment chooses others', async () => {
    const namings = async (env?: Record<string, string>) =>
      Object.entries((await load(env)).services).flatMap(([name, { command }]) =>
        (command ?? []).filter((word) => word.startsWith('--naming=')).map((word) => [name, word.slice(9)]),
      );
    assert.ok((await namings()).length >= 6);
    assert.ok((await namings()).every(([, naming]) => naming === 'kubernetes'));
    assert.ok((await namings({ ORCH_NAMING: 'orch' })).every(([, naming]) => naming === 'orch'));
  });

  it('the demonstration reads the same services, commands, mounts and dependencies from it', async () => {
    const { services } = await load();
    const read = readComposeFile(readFileSync(file, 'utf8'), {});
    assert.deepEqual(read.map(({ name }) => name).sort(), Object.keys(services).sort());
    for (const service of read) {
      const loaded = services[service.name];
      assert.equal(service.image, loaded?.image.replace(/@.*/, ''), service.name);
      assert.deepEqual(service.command, loaded?.command ?? [], service.name);
      assert.deepEqual(service.entrypoint, loaded?.entrypoint ?? [], service.name);
      assert.deepEqual(service.healthCommand, (loaded?.healthcheck?.test ?? []).slice(1), service.name);
      const temporary = (loaded?.tmpfs ?? []).map((each) => each.split(':')[0]);
      const mounts = [...(loaded?.volumes ?? []).map(({ target }) => target), ...temporary];
      assert.deepEqual(
        service.mounts.map(({ target }) => target),
        mounts,
        service.name,
      );
      const conditions = Object.entries(loaded?.depends_on ?? {}).map(([on, { condition }]) => [
        on,
        condition,
      ]);
      assert.deepEqual({ ...service.dependsOn }, Object.fromEntries(conditions), service.name);
    }
  });
});

describe('Prometheus of docker-compose.yml', () => {
  const promtool = programPath('promtool');

  it('promtool accepts the scrape configuration', {
    skip: promtool === undefined ? 'promtool is not found' : false,
  }, async () => {
    const path = join(root, 'deploy/compose/prometheus.yml');
    const found = await run(promtool ?? '', ['check', 'config', '--syntax-only', path]);
    assert.equal(found.code, 0, found.stdout + found.stderr);
  });
});
