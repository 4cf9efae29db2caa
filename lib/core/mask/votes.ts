import { MaskError } from './errors';
import { checkSameSize, type Mask } from './mask';
import { RunBuilder } from './runs';

/** More masks than this would overflow the 16-bit counts. */
const MAX_VOTERS = 65_535;

/** How many of the masks cover each pixel, row-major. */
export function voteMap(masks: readonly Mask[]): Uint16Array {
  const { height, width } = checkVoters(masks);
  const changes = voteChanges(masks);
  const votes = new Uint16Array(height * width);
  let count = 0;
  for (let x = 0, position = 0; x < width; x++)
    for (let y = 0; y < height; y++, position++) {
      count += changes[position] as number;
      votes[y * width + x] = count;
    }
  return votes;
}

/** The pixels that at least `minVotes` of the masks cover. */
export function atLeast(masks: readonly Mask[], minVotes: number): Mask {
  const { height, width } = checkVoters(masks);
  const changes = voteChanges(masks);
  const builder = new RunBuilder();
  let count = 0;
  let from = -1;
  for (let position = 0; position < height * width; position++) {
    count += changes[position] as number;
    const inside = count >= minVotes;
    if (inside && from < 0) from = position;
    if (!inside && from >= 0) {
      builder.add(from, position);
      from = -1;
    }
  }
  if (from >= 0) builder.add(from, height * width);
  return builder.build(height, width);
}

function voteChanges(masks: readonly Mask[]): Int32Array {
  const { height, width } = masks[0] as Mask;
  const changes = new Int32Array(height * width + 1);
  for (const { toggles } of masks)
    for (let i = 0; i < toggles.length - 1; i++) {
      const position = toggles[i] as number;
      changes[position] = (changes[position] as number) + (i & 1 ? -1 : 1);
    }
  return changes;
}

function checkVoters(masks: readonly Mask[]): Mask {
  const [first] = masks;
  if (!first) throw new MaskError('no-masks', 'masks', 'a vote needs at least one mask');
  if (masks.length > MAX_VOTERS)
    throw new MaskError('bad-argument', 'masks', `at most ${MAX_VOTERS} masks can vote, got ${masks.length}`);
  for (const mask of masks) checkSameSize(first, mask);
  return first;
}
