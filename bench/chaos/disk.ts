export async function run(_: string[]): Promise<boolean> {
  return false;
}
