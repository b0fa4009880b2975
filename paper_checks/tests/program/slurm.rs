//! A study on a real Slurm, whose daemons run in a folder of their own.

use crate::shares::{PATIENCE, STUDY, of_one_process, run, wait_for_cells};
use crate::support::{Ran, program, skipped, unfinished, values};
use std::fmt::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The daemons, in the order in which they start.
const DAEMONS: [&str; 3] = ["munged", "slurmctld", "slurmd"];
/// How long the daemons may take to be ready, and to end.
const READY: Duration = Duration::from_secs(40);
const END: Duration = Duration::from_secs(10);

/// Where Debian has a program; daemons are not on everybody's PATH.
fn installed(name: &str) -> Option<PathBuf> {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.is_file())
}

/// A cluster of one node. Dropped, it stops its daemons.
struct Cluster {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    /// Another port is tried if somebody took it since it was found free.
    fn start() -> Self {
        let mut log = String::new();
        for _ in 0..3 {
            let mut cluster = Self { folder: tempfile::tempdir().unwrap(), daemons: vec![] };
            cluster.begin();
            if cluster.is_ready() {
                return cluster;
            }
            log = cluster.log();
        }
        panic!("Slurm is installed but does not start:\n{log}");
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn begin(&mut self) {
        for name in ["state", "spool"] {
            std::fs::create_dir(self.path(name)).unwrap();
        }
        let key: Vec<u8> = (0..1024).map(|_| rand::random()).collect();
        std::fs::write(self.path("key"), key).unwrap();
        std::fs::set_permissions(self.path("key"), std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(self.path("slurm.conf"), self.configuration()).unwrap();
        let file = |option: &str, name: &str| format!("--{option}={}", self.path(name));
        let munge = ["key-file", "socket", "log-file", "seed-file"]
            .map(|option| file(option, option.strip_suffix("-file").unwrap_or(option)));
        let munge = munge.into_iter().chain([file("pid-file", "munged.pid")]);
        let arguments = [
            ["-F", "--force"].map(str::to_owned).into_iter().chain(munge).collect::<Vec<_>>(),
            ["-D", "-i"].map(str::to_owned).to_vec(),
            ["-D", "-N", "localhost"].map(str::to_owned).to_vec(),
        ];
        for (name, arguments) in DAEMONS.into_iter().zip(arguments) {
            let out = std::fs::File::create(self.path(&format!("{name}.log"))).unwrap();
            // If this test is killed, they end, too.
            let mut command = Command::new("setpriv");
            command.args(["--pdeathsig", "TERM"]).arg(installed(name).unwrap()).args(arguments);
            command.env("SLURM_CONF", self.path("slurm.conf")).stdin(Stdio::null());
            command.stdout(out.try_clone().unwrap()).stderr(out);
            self.daemons.push(command.spawn().unwrap());
        }
    }

    fn configuration(&self) -> String {
        let free = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [controller, node] = free.map(|listener| listener.local_addr().unwrap().port());
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let user = String::from_utf8(user).unwrap().trim().to_owned();
        let mut text = String::from(
            "ClusterName=test\nSlurmctldHost=localhost\nAuthType=auth/munge\nCredType=cred/munge\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\nMpiDefault=none\nSwitchType=switch/none\nReturnToService=2\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SchedulerParameters=sched_interval=1,batch_sched_delay=0\nNodeName=localhost CPUs=2\n\
             PartitionName=small Nodes=localhost Default=YES MaxTime=60\n",
        );
        writeln!(text, "SlurmUser={user}\nSlurmdUser={user}").unwrap();
        writeln!(text, "SlurmctldPort={controller}\nSlurmdPort={node}").unwrap();
        writeln!(text, "AuthInfo=socket={}", self.path("socket")).unwrap();
        writeln!(text, "SlurmctldPidFile={}", self.path("slurmctld.pid")).unwrap();
        writeln!(text, "SlurmdPidFile={}", self.path("slurmd.pid")).unwrap();
        writeln!(text, "StateSaveLocation={}\nSlurmdSpoolDir={}", self.path("state"), self.path("spool"))
            .unwrap();
        text
    }

    /// A command that finds this cluster, and ends soon.
    fn ask(&self, words: &[&str]) -> Ran {
        let mut command = Command::new("timeout");
        Ran::of(command.arg("20").args(words).env("SLURM_CONF", self.path("slurm.conf")))
    }

    fn is_ready(&mut self) -> bool {
        let start = Instant::now();
        while start.elapsed() < READY {
            if self.daemons.iter_mut().any(|daemon| daemon.try_wait().unwrap().is_some()) {
                return false;
            }
            // Without a controller the command would try for long.
            let up = Path::new(&self.path("slurmctld.pid")).exists();
            if up && self.ask(&["sinfo", "--noheader", "--format=%t"]).out.contains("idle") {
                return true;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        false
    }

    fn log(&self) -> String {
        let log = |name: &str| std::fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default();
        DAEMONS.map(log).join("\n")
    }

    /// `ebmbook run` of the study on this cluster.
    fn run(&self, store: &Path, more: &[&str]) -> Command {
        let mut command = run(store, &["--engine", "slurm"]);
        command.args(more).env("SLURM_CONF", self.path("slurm.conf"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.ask(&["scancel", "--me"]);
        for (name, daemon) in DAEMONS.into_iter().zip(&mut self.daemons).rev() {
            if let Ok(pid) = std::fs::read_to_string(self.folder.path().join(format!("{name}.pid"))) {
                let _ = Command::new("kill").arg(pid.trim()).status();
            }
            let start = Instant::now();
            while start.elapsed() < END && daemon.try_wait().is_ok_and(|ended| ended.is_none()) {
                std::thread::sleep(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// What a run said at its end; it is killed if that does not come.
fn end(mut child: Child) -> Ran {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("a run on the cluster does not end: {}", Ran::from(child.wait_with_output().unwrap()).err);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ran::from(child.wait_with_output().unwrap())
}

/// A process that computes a share into this store.
fn a_task(store: &Path) -> Option<String> {
    let store = store.display().to_string();
    let computes = |pid: &String| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<String> =
            words.split(|b| *b == 0).map(|w| String::from_utf8_lossy(w).into_owned()).collect();
        words.contains(&store) && words.iter().any(|word| word == "--share")
    };
    let entries = std::fs::read_dir("/proc").ok()?;
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).find(computes)
}

#[test]
fn a_slurm_array_with_a_killed_task_gives_the_bytes_of_one_process_and_a_cancelled_one_goes_on() {
    let needed = DAEMONS.into_iter().chain(["sbatch", "squeue", "scancel", "sinfo", "setpriv", "timeout"]);
    let missing: Vec<&str> = needed.filter(|name| installed(name).is_none()).collect();
    if !missing.is_empty() {
        return skipped(&format!("no study ran on Slurm: {} not installed", missing.join(", ")));
    }
    let cluster = Cluster::start();
    let engines = |configuration: &str| {
        Ran::of(program().args(["engines", "--json"]).env("SLURM_CONF", configuration)).json()
    };
    let found = engines(&cluster.path("slurm.conf"));
    assert_eq!(found[1]["usable"], true, "{found}");
    assert!(found[1]["what"].as_str().unwrap().ends_with("; partitions: small"), "{found}");
    let found = engines("/nowhere/slurm.conf");
    assert_eq!(found[1]["usable"], false, "{found}");

    let store = tempfile::tempdir().unwrap();
    Ran::of(&mut cluster.run(store.path(), &["--partition", "large"]))
        .refused("no partition is called `large`; this cluster has small");
    Ran::of(cluster.run(store.path(), &[]).env("SLURM_CONF", "/nowhere/slurm.conf"))
        .refused("engine slurm: no controller answers: ");
    assert!(!store.path().join("slurm").exists());

    // Ctrl-C ends the tasks.
    let mut child = cluster.run(store.path(), &["--tasks", "3"]).spawn().unwrap();
    wait_for_cells(store.path(), 10, &mut child);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let said = end(child);
    assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
    assert!(said.out.contains("CANCELLED with "), "{}", said.out);
    assert_eq!(cluster.ask(&["squeue", "--noheader"]).ok(), "");
    let kept = values(store.path()).len();
    let all = of_one_process().len();
    assert!((10..all).contains(&kept), "{kept}");

    // The same command goes on. Midway a task is killed.
    let mut child = cluster.run(store.path(), &["--tasks", "3", "--json"]).spawn().unwrap();
    wait_for_cells(store.path(), kept + 10, &mut child);
    let task = a_task(store.path()).expect("a task is at work");
    assert!(Command::new("kill").args(["-9", &task]).status().unwrap().success());
    let said = end(child);
    let told = said.json();
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert_eq!(told["requeued"].as_array().unwrap().len(), 1, "{told}");
    assert!(told["requeued"][0].as_str().unwrap().ends_with("was lost: failed, signal 9"), "{told}");
    assert_eq!((&told["cached"], &told["ran"]), (&kept.into(), &(all - kept).into()), "{told}");
    assert!(values(store.path()) == *of_one_process());

    // What goes wrong on the nodes is said here: the data are not where the tasks look for them.
    let store = tempfile::tempdir().unwrap();
    let mut lost = cluster.run(store.path(), &["--tasks", "1"]);
    let said = end(lost.env("EBMBOOK_DATA", "/nowhere").spawn().unwrap());
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.out.contains(&format!("FAILED  {STUDY}/")), "{}", said.out);
    assert_eq!(unfinished(store.path()), Vec::<PathBuf>::new());
}

#[test]
fn engines_lists_this_machine_and_says_how_to_get_slurm() {
    let found = Ran::of(program().args(["engines", "--json"]).env("PATH", "nowhere")).json();
    assert_eq!((&found[0]["engine"], &found[0]["usable"]), (&"local".into(), &true.into()), "{found}");
    assert_eq!((&found[1]["engine"], &found[1]["usable"]), (&"slurm".into(), &false.into()), "{found}");
    let what = found[1]["what"].as_str().unwrap();
    assert!(what.starts_with("not installed: `sbatch` is not on the PATH"), "{what}");
    assert!(what.ends_with("`apt-get install slurm-wlm munge`"), "{what}");
}
