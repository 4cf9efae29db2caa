/** The same facts for a script or for a person. */
export function print(asJson: boolean | undefined, value: unknown, text: () => string): void {
  console.log(asJson ? JSON.stringify(value, null, 2) : text());
}
