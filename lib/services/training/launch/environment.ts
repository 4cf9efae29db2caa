const plain = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR)$/;
const ofSlurm = /^(SLURM|SBATCH)_\w+$/;
const ofLibraries =
  /^(LD_LIBRARY_PATH|VIRTUAL_ENV|XDG_CACHE_HOME|(CUDA|CUDNN|NVIDIA|NCCL|GLOO|TORCH|PYTORCH|OMP|GOMP|KMP|MKL|OPENBLAS|HIP|ROCR|HSA)_\w+)$/;

const only = (...kept: RegExp[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] =>
      kept.some((names) => names.test(entry[0])),
    ),
  );

/** What a trainer of this machine needs of our environment: nothing that is secret goes along. */
export const trainerEnvironment = (): Record<string, string> => only(plain, ofLibraries);

/** Slurm hands the environment of sbatch to the job: neither does it there. */
export const slurmEnvironment = (): Record<string, string> => only(plain, ofSlurm);
