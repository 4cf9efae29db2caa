export type MaskErrorCode =
  | 'bad-size'
  | 'size-limit'
  | 'size-mismatch'
  | 'bad-counts'
  | 'bad-string'
  | 'bad-coordinate'
  | 'too-few-points'
  | 'bad-bitmap'
  | 'bad-shape'
  | 'bad-argument'
  | 'no-masks';

/** What is wrong (`code`, message) and where: the path of the offending value, such as `polygons[2][7]`. */
export class MaskError extends Error {
  override readonly name = 'MaskError';

  constructor(
    readonly code: MaskErrorCode,
    readonly where: string,
    readonly problem: string,
  ) {
    super(`${where}: ${problem}`);
  }

  /** The same error seen from the value that contains the offending one. */
  inside(outer: string): MaskError {
    return new MaskError(this.code, `${outer}.${this.where}`, this.problem);
  }
}
