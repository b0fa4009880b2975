//! The program `ebmbook`; everything it does is in the library beside it.

fn main() -> std::process::ExitCode {
    paper_checks::cli::main()
}
