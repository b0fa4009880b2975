//! The CUDA driver, found when it is first asked for and not when the program starts.
//!
//! dfdx calls the driver's functions by name, so a program that uses it would be bound to
//! libcuda and die in the loader on a machine without an Nvidia driver, before it could say why.
//! These functions have the names it calls and hand every call on to the driver that the probe
//! opens at run time; the linker, finding the names here, leaves libcuda out. Without a driver
//! they answer "no device".

#![allow(unsafe_code, non_snake_case)] // the names and the calls are C's

use super::device::driver_present;
use cuda_probe::driver::sys::{self, *};
use std::ffi::{c_char, c_int, c_uchar, c_uint, c_void};

/// Defines C functions that hand their arguments on to the driver.
macro_rules! hand_on {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        // SAFETY of the name: nothing else in the program defines it, and what calls it means the
        // driver's function of the same signature.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $kind),*) -> CUresult {
            if !driver_present() {
                return CUresult::CUDA_ERROR_NO_DEVICE;
            }
            // SAFETY: the arguments are the caller's, who is bound by the driver's rules.
            unsafe { sys::$name($($argument),*) }
        }
    )*};
}

// Every function of the driver that dfdx's CUDA library (cudarc 0.9) calls.
hand_on! {
    cuCtxGetCurrent(pctx: *mut CUcontext);
    cuCtxSetCurrent(ctx: CUcontext);
    cuDestroyExternalMemory(ext_mem: CUexternalMemory);
    cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice);
    cuDeviceGetCount(count: *mut c_int);
    cuDevicePrimaryCtxRelease_v2(dev: CUdevice);
    cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice);
    cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice);
    cuEventCreate(ph_event: *mut CUevent, flags: c_uint);
    cuEventDestroy_v2(h_event: CUevent);
    cuEventElapsedTime(p_milliseconds: *mut f32, h_start: CUevent, h_end: CUevent);
    cuEventRecord(h_event: CUevent, h_stream: CUstream);
    cuExternalMemoryGetMappedBuffer(dev_ptr: *mut CUdeviceptr, ext_mem: CUexternalMemory, buffer_desc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC);
    cuGetErrorName(error: CUresult, p_str: *mut *const c_char);
    cuGetErrorString(error: CUresult, p_str: *mut *const c_char);
    cuImportExternalMemory(ext_mem_out: *mut CUexternalMemory, mem_handle_desc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC);
    cuInit(flags: c_uint);
    cuLaunchKernel(f: CUfunction, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, h_stream: CUstream, kernel_params: *mut *mut c_void, extra: *mut *mut c_void);
    cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, h_stream: CUstream);
    cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize);
    cuMemFreeAsync(dptr: CUdeviceptr, h_stream: CUstream);
    cuMemFree_v2(dptr: CUdeviceptr);
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    cuMemcpyDtoDAsync_v2(dst_device: CUdeviceptr, src_device: CUdeviceptr, byte_count: usize, h_stream: CUstream);
    cuMemcpyDtoD_v2(dst_device: CUdeviceptr, src_device: CUdeviceptr, byte_count: usize);
    cuMemcpyDtoHAsync_v2(dst_host: *mut c_void, src_device: CUdeviceptr, byte_count: usize, h_stream: CUstream);
    cuMemcpyDtoH_v2(dst_host: *mut c_void, src_device: CUdeviceptr, byte_count: usize);
    cuMemcpyHtoDAsync_v2(dst_device: CUdeviceptr, src_host: *const c_void, byte_count: usize, h_stream: CUstream);
    cuMemcpyHtoD_v2(dst_device: CUdeviceptr, src_host: *const c_void, byte_count: usize);
    cuMemsetD8Async(dst_device: CUdeviceptr, uc: c_uchar, n: usize, h_stream: CUstream);
    cuMemsetD8_v2(dst_device: CUdeviceptr, uc: c_uchar, n: usize);
    cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char);
    cuModuleLoad(module: *mut CUmodule, fname: *const c_char);
    cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    cuModuleUnload(hmod: CUmodule);
    cuOccupancyAvailableDynamicSMemPerBlock(dynamic_smem_size: *mut usize, func: CUfunction, num_blocks: c_int, block_size: c_int);
    cuOccupancyMaxActiveBlocksPerMultiprocessor(num_blocks: *mut c_int, func: CUfunction, block_size: c_int, dynamic_smem_size: usize);
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(num_blocks: *mut c_int, func: CUfunction, block_size: c_int, dynamic_smem_size: usize, flags: c_uint);
    cuOccupancyMaxActiveClusters(num_clusters: *mut c_int, func: CUfunction, config: *const CUlaunchConfig);
    cuOccupancyMaxPotentialBlockSize(min_grid_size: *mut c_int, block_size: *mut c_int, func: CUfunction, block_size_to_dynamic_smem_size: CUoccupancyB2DSize, dynamic_smem_size: usize, block_size_limit: c_int);
    cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size: *mut c_int, block_size: *mut c_int, func: CUfunction, block_size_to_dynamic_smem_size: CUoccupancyB2DSize, dynamic_smem_size: usize, block_size_limit: c_int, flags: c_uint);
    cuOccupancyMaxPotentialClusterSize(cluster_size: *mut c_int, func: CUfunction, config: *const CUlaunchConfig);
    cuProfilerStart();
    cuProfilerStop();
    cuStreamCreate(ph_stream: *mut CUstream, flags: c_uint);
    cuStreamDestroy_v2(h_stream: CUstream);
    cuStreamSynchronize(h_stream: CUstream);
    cuStreamWaitEvent(h_stream: CUstream, h_event: CUevent, flags: c_uint);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_driver_the_answer_is_that_there_is_no_device() {
        // SAFETY: a driver may be initialised any number of times.
        let answer = unsafe { cuInit(0) };
        if !driver_present() {
            assert_eq!(answer, CUresult::CUDA_ERROR_NO_DEVICE);
        }
    }
}
