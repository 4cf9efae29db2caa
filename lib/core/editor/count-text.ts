/** "1 vertex", "12 vertices". */
export function verticesText(count: number): string {
  return count === 1 ? '1 vertex' : `${count.toLocaleString('en')} vertices`;
}
