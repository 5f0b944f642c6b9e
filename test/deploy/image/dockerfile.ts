/** An instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export interface Stage {
  /** The image or the earlier stage that it begins with. */
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Parses a Dockerfile that begins with a stage and has no parser directives. */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    if (instruction.keyword === 'FROM') {
      const [from = '', , name] = instruction.text.split(/\s+/);
      stages.push({ from, name, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction.keyword} before the first stage`);
    stage.instructions.push(instruction);
  }
  return stages;
}

function instructionsOf(text: string): readonly Instruction[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (keyword === '') throw new Error(`not an instruction: ${line}`);
      return { keyword, text: rest };
    });
}

/** The program and arguments of an instruction in exec form. */
export function execForm(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error(`not in exec form: ${text}`);
  return value.map(String);
}

/** The last instruction of a keyword; throws when there is none. */
export function lastOf(stage: Stage, keyword: string): string {
  const found = stage.instructions.findLast((each) => each.keyword === keyword);
  if (found === undefined) throw new Error(`no ${keyword}`);
  return found.text;
}
