import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '@orch/testkit';
import { type Instruction, parseDockerfile, type Stage } from './dockerfile.ts';
import { ImageFileSystem } from './file-system.ts';

export interface BuiltImage {
  readonly stage: Stage;
  readonly files: ImageFileSystem;
  /** In which its programs, and the instructions of stages that begin with it, run. */
  readonly folder: string;
}

/** Instructions that change no file: they describe how the image is run. */
const descriptive = new Set(['LABEL', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD', 'ARG']);

/**
 * Carries out the stages of a Dockerfile without a builder: RUN in the file system of the stage, COPY from the context or from an earlier
 * stage. Needs root. The result is the last stage.
 */
export class Builder {
  readonly #context: string;
  readonly #work: string;
  readonly #values: Readonly<Record<string, string>>;
  readonly #built = new Map<string, BuiltImage>();

  constructor(context: string, work: string, values: Readonly<Record<string, string>>) {
    this.#context = context;
    this.#work = work;
    this.#values = values;
  }

  async build(dockerfile: string): Promise<BuiltImage> {
    const stages = parseDockerfile(dockerfile);
    let last: BuiltImage | undefined;
    for (const [index, stage] of stages.entries()) {
      last = await this.#buildStage(stage, join(this.#work, `stage-${index}`));
      if (stage.name !== undefined) this.#built.set(stage.name, last);
    }
    if (last === undefined) throw new Error('no stages');
    return last;
  }

  /** An earlier stage. */
  stage(name: string): BuiltImage {
    const found = this.#built.get(name);
    if (found === undefined) throw new Error(`no stage ${name}`);
    return found;
  }

  async #buildStage(stage: Stage, root: string): Promise<BuiltImage> {
    mkdirSync(root);
    const base = this.#built.get(stage.from);
    const files = base?.files.copyTo(root) ?? ImageFileSystem.ofBase(stage.from, root);
    let folder = base?.folder ?? '/';
    for (const instruction of stage.instructions) {
      if (instruction.keyword === 'WORKDIR') {
        folder = instruction.text;
        mkdirSync(files.path(folder), { recursive: true });
      } else if (instruction.keyword === 'COPY') this.#copy(files, folder, instruction);
      else if (instruction.keyword === 'RUN') await this.#run(files, folder, instruction.text);
      else if (!descriptive.has(instruction.keyword))
        throw new Error(`unknown instruction ${instruction.keyword}`);
    }
    return { stage, files, folder };
  }

  #copy(files: ImageFileSystem, folder: string, { text }: Instruction): void {
    const words = text.split(/\s+/);
    const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
    const target = words.pop() ?? '';
    const source = (path: string): string =>
      from === undefined ? join(this.#context, path) : this.stage(from).files.path(path);
    files.copyIn(words.map(source), `${resolve(folder, target)}${target.endsWith('/') ? '/' : ''}`);
  }

  async #run(files: ImageFileSystem, folder: string, command: string): Promise<void> {
    const [program = '', ...args] = files.chrooted(
      `chroot ${files.root} /bin/sh -ec 'cd ${folder} && eval "$RUN"'`,
    );
    const env = { ...this.#values, RUN: command, HOME: '/root', PATH: imagePath };
    const { code, stdout, stderr } = await run(program, args, { env, timeoutMs: 120_000 });
    if (code !== 0) throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`);
  }
}

export const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
