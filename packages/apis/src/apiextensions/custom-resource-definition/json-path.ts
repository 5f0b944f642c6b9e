/** Fields and list positions only: `.spec.replicas`, `.spec.parts[0].size`. */
export const isSimpleJsonPath = (text: string): boolean =>
  /^(?:\.(?:[^\s.[\]{}'"\\]|\\.)+(?:\[-?\d{1,9}\])*)+$/.test(text);
