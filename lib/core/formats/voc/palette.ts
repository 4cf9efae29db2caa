/** VOC's colours: the bits of a number, three at a time from the lowest, become the highest bits of red, green and blue. */
export function vocColour(index: number): [red: number, green: number, blue: number] {
  const colour: [number, number, number] = [0, 0, 0];
  for (let bit = 7, rest = index; rest > 0; bit--, rest >>= 3)
    for (let channel = 0; channel < 3; channel++)
      colour[channel] = (colour[channel] as number) | (((rest >> channel) & 1) << bit);
  return colour;
}

export const vocPalette = (): Uint8Array =>
  Uint8Array.from({ length: 768 }, (_, i) => vocColour(Math.floor(i / 3))[i % 3] as number);
