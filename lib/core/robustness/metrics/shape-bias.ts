/** A picture whose shape is of one class and whose texture of another. */
export interface CueRow {
  shape: string;
  texture: string;
  decision: string;
}

export interface ShapeBias {
  /** Pictures whose cues are in conflict. */
  conflicts: number;
  shape: number;
  texture: number;
  /** Shape decisions among those for either cue; null where there was none. */
  bias: number | null;
  /** Decisions for either cue: a bias over few of them is noise. */
  cueAccuracy: number | null;
}

export function shapeBias(rows: readonly CueRow[]): ShapeBias {
  const conflicts = rows.filter(({ shape, texture }) => shape !== texture);
  const shape = conflicts.filter((row) => row.decision === row.shape).length;
  const texture = conflicts.filter((row) => row.decision === row.texture).length;
  return {
    conflicts: conflicts.length,
    shape,
    texture,
    bias: shape + texture === 0 ? null : shape / (shape + texture),
    cueAccuracy: conflicts.length === 0 ? null : (shape + texture) / conflicts.length,
  };
}
