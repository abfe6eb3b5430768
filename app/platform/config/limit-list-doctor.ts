import { limit } from "./limit";

/** The thresholds at which `portal doctor` warns, or reports a problem. */
export const DOCTOR = {
  DOCTOR_SEAL_MINUTES: limit(10, "An event of the audit that is not sealed by then is a warning."),
  DOCTOR_CERTIFICATE_WARNING_DAYS: limit(21, "A certificate that ends sooner is a warning."),
  DOCTOR_CERTIFICATE_PROBLEM_DAYS: limit(7, "A certificate that ends sooner is a problem."),
  DOCTOR_CLOCK_WARNING_MS: limit(2000, "Two clocks that differ by this much are a warning."),
  DOCTOR_CLOCK_PROBLEM_MS: limit(5000, "Two clocks that differ by this much are a problem."),
  DOCTOR_DISK_WARNING_MB: limit(1000, "Fewer MB free on the disk of `DATA_DIR` are a warning."),
  DOCTOR_DISK_WARNING_PERCENT: limit(10, "A smaller part of that disk free, in percent, is a warning, too."),
  DOCTOR_DISK_PROBLEM_MB: limit(200, "Fewer MB free on that disk are a problem."),
  DOCTOR_SMS_WARNING_SECONDS: limit(
    60,
    "A code that has waited this long is a warning. The alarm SmsWait watches the same.",
  ),
  DOCTOR_SMS_PROBLEM_SECONDS: limit(300, "A code that has waited this long is a problem."),
};
