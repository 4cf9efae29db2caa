/**
 * Panoptic-parts numbers: a scene class (1-99) alone, with an instance (0-999) behind it, and with a part (0-99) behind
 * that. How many digits a number has tells what it holds.
 */
export interface Uid {
  sid: number;
  /** −1 where there is none. */
  iid: number;
  /** −1 where there is none. */
  pid: number;
}

export const MOST_UID = 9_999_999;

/** A part needs an instance: without one its digits would be read as an instance's. */
export function encodeUid({ sid, iid, pid }: Uid): number {
  const isFine = sid >= 0 && sid <= 99 && iid >= -1 && iid <= 999 && pid >= -1 && pid <= 99;
  if (!isFine || (pid >= 0 && iid < 0) || (sid === 0 && iid >= 0))
    throw new Error(`class ${sid}, instance ${iid}, part ${pid} have no panoptic-parts number`);
  if (iid < 0) return sid;
  return pid < 0 ? sid * 1000 + iid : (sid * 1000 + iid) * 100 + pid;
}

export function decodeUid(uid: number): Uid {
  if (!Number.isInteger(uid) || uid < 0 || uid > MOST_UID || (uid > 99 && uid < 1000))
    throw new Error(`${uid} is no panoptic-parts number`);
  if (uid <= 99) return { sid: uid, iid: -1, pid: -1 };
  if (uid <= 99_999) return { sid: Math.floor(uid / 1000), iid: uid % 1000, pid: -1 };
  const whole = Math.floor(uid / 100);
  return { sid: Math.floor(whole / 1000), iid: whole % 1000, pid: uid % 100 };
}

/** The scene class alone, without the checks: for counting pixels. */
export const sidOf = (uid: number): number =>
  uid <= 99 ? uid : Math.floor(uid <= 99_999 ? uid / 1000 : uid / 100_000);
